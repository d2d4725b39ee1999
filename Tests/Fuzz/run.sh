#!/usr/bin/env bash
# Builds a target with libFuzzer and the address sanitizer and runs it.
#
#   ./noroshi fuzz liquid [SECONDS] [CORPUS]
#
# The engine's sources and the fuzz entry are compiled as one module, so that all of it is
# instrumented; the crypto package is linked as `swift build` left it.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-liquid}
seconds=${2:-120}
corpus=${3:-.build/fuzz-corpus}
if [ "$target" != liquid ]; then
    echo "There is no fuzz target '$target'; there is: liquid" >&2
    exit 2
fi
swift build -c release --target Liquid
build=.build/release
work=.build/fuzz
mkdir -p "$work" "$corpus"
includes=$(find -L .build/checkouts/swift-crypto/Sources -type d -name include |
    sed 's/^/-Xcc -I/' | tr '\n' ' ')
# shellcheck disable=SC2046,SC2086
swiftc -O -g -sanitize=fuzzer,address -parse-as-library -swift-version 6 -D FUZZING \
    -module-name LiquidFuzz -package-name liquid -I "$build/Modules" $includes \
    $(find Sources/Core/Liquid -name '*.swift') Tests/Fuzz/FuzzLiquid.swift \
    Tests/Core/LiquidTests/LiquidFuzzer.swift \
    $(find -L "$build" -path '*.build/*' -name '*.o' |
        grep -E '/(Crypto|CCryptoBoringSSL|CCryptoBoringSSLShims|CryptoBoringWrapper|CXKCP|CXKCPShims)\.build/') \
    -use-ld=lld -Xlinker -lstdc++ -o "$work/liquid-fuzz"
exec "$work/liquid-fuzz" -max_total_time="$seconds" -max_len=600 -timeout=5 -rss_limit_mb=2048 \
    -dict=Tests/Fuzz/liquid.dict -artifact_prefix="$work/" "$corpus"
