#!/usr/bin/env bash
# Fuzzes as the inputs of the action say, and fails as `bellwether fuzz` does. Everything that it writes is in .bellwether.
set -uo pipefail
mkdir -p .bellwether
out=.bellwether

if [ "$BELLWETHER_MODE" = prune ]; then
  if [ -d "$out/corpus" ]; then bellwether corpus minimise "$out/corpus" "$BELLWETHER_PATH"; else echo "There is no corpus yet."; fi
  code=$?
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
  exit "$code"
fi

options=(--corpus "$out/corpus" --findings "$out/findings" --lcov "$out/lcov.info" --html "$out/report.html")
options+=(--format sarif --out "$out/bellwether.sarif")
case "$BELLWETHER_MODE" in
  code-change)
    options+=(--seconds "$BELLWETHER_SECONDS" --until-quiet)
    if [ -n "${BELLWETHER_BASE:-}" ]; then options+=(--new-since "$BELLWETHER_BASE"); fi
    ;;
  batch) options+=(--seconds "$BELLWETHER_SECONDS") ;;
  coverage) options+=(--seconds "$BELLWETHER_SECONDS" --until-quiet) ;;
  *)
    echo "::error::mode: $BELLWETHER_MODE is not a mode; give one of code-change, batch, prune and coverage"
    exit 2
    ;;
esac
if [ "${BELLWETHER_TRUST:-false}" = true ]; then options+=(--trust); fi

bellwether fuzz "$BELLWETHER_PATH" "${options[@]}" --progress plain
code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
case $code in
  0) echo "Nothing was found that counts." ;;
  1) echo "::error::Bellwether found something: see .bellwether/report.html, or the alerts of code scanning" ;;
  2) echo "::error::Bellwether could not run, or could fuzz nothing that was asked for: the reason is above" ;;
  *) echo "::error::Bellwether was interrupted" ;;
esac
if [ "$BELLWETHER_MODE" = coverage ] && [ "$code" = 1 ]; then code=0; fi
exit "$code"
