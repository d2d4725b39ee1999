#!/usr/bin/env bash
# Builds a target with libFuzzer and the address sanitizer and runs it.
#
#   ./noroshi fuzz liquid|json|rules [SECONDS] [CORPUS]
#
# The module's sources and the fuzz entry are compiled as one module, so that all of it is
# instrumented; what it imports is linked as `swift build` left it.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-liquid}
seconds=${2:-120}
corpus=${3:-.build/fuzz-corpus-$target}
case "$target" in
    liquid)
        module=Liquid
        imports='Crypto|CCryptoBoringSSL|CCryptoBoringSSLShims|CryptoBoringWrapper|CXKCP|CXKCPShims'
        ;;
    json)
        module=JSON
        imports=NoroshiWire
        ;;
    rules)
        module=Segments
        # It imports nothing of ours.
        imports=
        ;;
    *)
        echo "There is no fuzz target '$target'; there are: liquid json rules" >&2
        exit 2
        ;;
esac
objects=
[ -z "$imports" ] || swift build -c release --target "$module"
build=.build/release
work=.build/fuzz
mkdir -p "$work" "$corpus"
[ -z "$imports" ] \
    || objects=$(find -L "$build" -path '*.build/*' -name '*.o' | grep -E "/($imports)\.build/")
includes=$(find -L .build/checkouts/swift-crypto/Sources -type d -name include |
    sed 's/^/-Xcc -I/' | tr '\n' ' ')
# shellcheck disable=SC2046,SC2086
swiftc -O -g -sanitize=fuzzer,address -parse-as-library -swift-version 6 -D FUZZING \
    -module-name "${module}Fuzz" -package-name noroshi -I "$build/Modules" $includes \
    $(find "Sources/Core/$module" -name '*.swift') "Tests/Fuzz/Fuzz$module.swift" \
    "Tests/Core/${module}Tests/${module}Fuzzer.swift" \
    $objects \
    -use-ld=lld -Xlinker -lstdc++ -o "$work/$target-fuzz"
export SWIFT_BACKTRACE=enable=no
exec "$work/$target-fuzz" -max_total_time="$seconds" -max_len=600 -timeout=5 -rss_limit_mb=2048 \
    -dict="Tests/Fuzz/$target.dict" -artifact_prefix="$work/" "$corpus"
