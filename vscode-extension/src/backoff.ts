// The back-off: how long to wait before a server that ended by itself is started again. The first time not at all, since most
// crashes come from one bad input; then longer and longer, so that a server that cannot live does not keep the machine busy.
// It never says to give up. Pure: the clock and the timers are client.ts's.

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** A server that ran for so long was well: what it ended of is a new story. */
const WELL_AFTER_MS = 3 * 60_000;

export class BackOff {
  #crashes = 0;

  /** A server ended by itself. How many have by now, since one was well, and how long to wait before the next. */
  crashed(ranForMs: number): { crashes: number; waitMs: number } {
    this.#crashes = ranForMs >= WELL_AFTER_MS ? 1 : this.#crashes + 1;
    return { crashes: this.#crashes, waitMs: waitAfter(this.#crashes) };
  }

  /** Somebody started or stopped it on purpose. */
  reset(): void {
    this.#crashes = 0;
  }
}

function waitAfter(crashes: number): number {
  return crashes === 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (crashes - 2), LONGEST_WAIT_MS);
}
