#!/bin/bash
# verification/nightly/fuzz.sh
# Fuzzes everything that reads bytes of strangers, ten minutes in all, with other inputs every night. A failing input is
# minimised and kept in verification/fuzz/regressions/<target>; commit it with the fix, and fuzz.test.ts replays it from
# then on. SECONDS_IN_ALL=60 is shorter, SEED=7 repeats the inputs of an earlier run, TARGETS='cms zip' runs only these.
# The last line is "N targets passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
read -ra targets <<< "${TARGETS:-document cms zip mail fonts http}"
seed=${SEED:-$(date +%Y%m%d)}
each=$(( ${SECONDS_IN_ALL:-600} / ${#targets[@]} ))
node tools/ensure-built.mjs || exit 1
passed=0
failed=0
for target in "${targets[@]}"; do
  echo "$target (again: SEED=$seed TARGETS=$target)"
  if node --import ./tools/node24.mjs --import tsx verification/fuzz/fuzz.ts "$each" --target "$target" --seed "$seed"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done
echo "$passed targets passed, $failed failed"
[ "$failed" -eq 0 ]
