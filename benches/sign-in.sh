#!/usr/bin/env bash
# 30 copies of the sign-in flow, playscript and Playwright Test with the same Chrome, in turn, so that both meet the
# same machine. Needs Node with npm, python3 for the static server, and a release build.
#
#   benches/sign-in.sh [ROUNDS] [WORKERS] [CHROME]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5} workers=${2:-2}
playscript=$PWD/target/release/playscript
chrome=${3:-$("$playscript" browser path)}
work=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

# The suites.
mkdir -p "$work/ours/scenarios/pages" "$work/ours/snapshots"
cp -r scenarios/pages/sign-in "$work/ours/scenarios/pages/"
for copy in $(seq 30); do
    sed "s/^name: .*/name: A visitor signs in $copy/" scenarios/sign-in.yaml >"$work/ours/scenarios/sign-in-$copy.yaml"
    cp snapshots/sign-in__signed-in.snap "$work/ours/snapshots/sign-in-${copy}__signed-in.snap"
done
cp -r benches/playwright "$work/theirs"
(cd "$work/theirs" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --silent >/dev/null)
(cd scenarios/pages/sign-in && exec python3 -m http.server --bind 127.0.0.1 7791 >/dev/null 2>&1) &
server=$!
until curl -fs -o /dev/null http://127.0.0.1:7791/; do :; done
export BASE=http://127.0.0.1:7791 CHROME=$chrome WORKERS=$workers
[ "$(id -u)" = 0 ] && export CHROME_ARGS=--no-sandbox

ours() { (cd "$work/ours" && "$playscript" run --workers "$workers" --chrome "$chrome" --quiet >"$work/ours.log" 2>&1) || { cat "$work/ours.log"; exit 1; }; }
theirs() { (cd "$work/theirs" && npx playwright test >"$work/theirs.log" 2>&1) || { cat "$work/theirs.log"; exit 1; }; }
seconds() { local start end; start=$(date +%s%N); "$1"; end=$(date +%s%N); echo "$(((end - start) / 1000000))"; }

(cd "$work/theirs" && npx playwright test --update-snapshots >/dev/null 2>&1) || true
echo "round  playscript  playwright  ratio   ($workers workers, $chrome)"
for round in $(seq "$rounds"); do
    a=$(seconds ours) b=$(seconds theirs)
    awk -v r="$round" -v a="$a" -v b="$b" 'BEGIN { printf "%5d  %7d ms  %7d ms  %.2f\n", r, a, b, a / b }'
done
