#!/usr/bin/env bash
# How long `check` takes for a thousand scenario files: copies of the bundled ones. Under a second is the aim.
#
#     bash benches/check.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/playscript}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/scenarios"
cp -r scenarios/pages scenarios/parts scenarios/*.csv "$folder/scenarios/"
files=(scenarios/*.yaml)
for ((i = 0; i < 1000; i++)); do
    file=${files[i % ${#files[@]}]}
    cp "$file" "$folder/scenarios/$(basename "$file" .yaml)-$i.yaml"
done
cd "$folder"
time "$program" check
