#!/usr/bin/env bash
# The last step: everybody has been told, so the job may fail.
set -euo pipefail

case ${HEADROOM_EXIT_CODE:-} in
0) echo "headroom: nothing at or above $HEADROOM_FAIL_ON" ;;
1) echo "headroom: findings at or above $HEADROOM_FAIL_ON; the annotations and the summary have them" ;;
2) echo "headroom: something could not be read; the annotations and the summary say what" ;;
*) echo "headroom: ended with exit code ${HEADROOM_EXIT_CODE:-unknown}" ;;
esac
exit "${HEADROOM_EXIT_CODE:-2}"
