// What came of generating regression tests for all findings, in words. Pure; session.ts generates them.

/** What came of one finding. */
export type Outcome =
  /** The file that the test was written to. */
  | { file: string }
  /** Why there is no test, as the server says it. */
  | { refused: string };

export function describe(outcomes: readonly Outcome[]): string {
  const written = outcomes.filter((outcome) => "file" in outcome).length;
  const reasons = outcomes.flatMap((outcome) => ("refused" in outcome ? [outcome.refused] : []));
  const told = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return `None for ${count === 1 ? "a finding" : `${count} findings`}: ${reason}.`;
  });
  return [`${written === 0 ? "No" : written} regression test${written === 1 ? " was" : "s were"} written.`, ...told].join(" ");
}
