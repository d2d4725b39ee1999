#!/usr/bin/env bash
# Years of random campaigns in seven zones against an independent calculation.
#
#   ./noroshi torture year [YEARS]
set -euo pipefail
cd "$(dirname "$0")/../.."
export NOROSHI_CAMPAIGN_YEARS="${1:-20}"
swift build --build-tests
exec swift test --skip-build --filter CampaignCalculationTests
