#!/usr/bin/env bash
# Packs the executable of a folder for a platform: `pack.sh TARGET FOLDER DIST` writes DIST/bellwether-TARGET.tar.gz.
set -euo pipefail
target=$1 folder=$2 dist=$3
root=$(cd "$(dirname "$0")/.." && pwd)
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

executable=bellwether
if [ -f "$folder/bellwether.exe" ]; then executable=bellwether.exe; fi
cp "$folder/$executable" "$staging/"
# Debug information stands beside the executable already, where it can; what is left of it is nine tenths of the file.
strip -S "$staging/$executable" 2>/dev/null || true
cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$staging/"
mkdir -p "$dist"
tar -czf "$dist/bellwether-$target.tar.gz" -C "$staging" "$executable" LICENSE-MIT LICENSE-APACHE
