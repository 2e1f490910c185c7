#!/usr/bin/env bash
# Puts a release of Bellwether on PATH, unless there is one already.
set -euo pipefail
if command -v bellwether >/dev/null; then
  bellwether --version
  exit 0
fi
case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=x86_64-unknown-linux-gnu ;;
  Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *)
    echo "::error::there is no release of Bellwether for $RUNNER_OS on $RUNNER_ARCH; build it, and put it on PATH before this step"
    exit 2
    ;;
esac
folder="$RUNNER_TEMP/bellwether"
mkdir -p "$folder"
gh release download "$BELLWETHER_VERSION" --repo "$BELLWETHER_REPOSITORY" --pattern "bellwether-$target.tar.gz" --dir "$folder" --clobber
tar -xzf "$folder/bellwether-$target.tar.gz" -C "$folder"
"$folder/bellwether" --version
echo "$folder" >> "$GITHUB_PATH"
