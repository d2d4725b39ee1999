#ifndef NOROSHI_CP256LANES_H
#define NOROSHI_CP256LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many agreements are computed at once, one in each 64-bit lane of a vector.
enum { P256_LANES = 8 };

/// Whether the processor and the compiler have what this needs: AVX-512 with IFMA, on x86-64.
bool p256_lanes_available(void);

/// Makes the table of multiples of the generator, in some milliseconds. To be called once, before
/// the first agreement, and only where the lanes are available.
void p256_lanes_prepare(void);

/// Eight Diffie-Hellman agreements over P-256 (NIST SP 800-56A, ECC CDH): for each lane the own
/// public key d·G and the shared secret, which is the x coordinate of d·Q.
///
/// - scalars: eight private keys d of 32 bytes, big-endian, from a secure generator.
/// - points: the eight peers' public keys Q, uncompressed (SEC 1, 2.3.3), of 65 bytes each.
/// - keys: gets the own public keys, eight times 65 bytes, uncompressed.
/// - secrets: gets the shared secrets, eight times 32 bytes, big-endian; the caller wipes them.
///
/// Returns a bit for each lane, the lowest for the first: 1 if d is in 1...n-1 and Q is a point of
/// the curve with both coordinates below p. The results of the other lanes are zeros. Time and
/// addresses do not depend on d.
uint8_t p256_lanes_agree(
    const uint8_t *scalars, const uint8_t *points, uint8_t *keys, uint8_t *secrets);

/// Overwrites memory with zeros in a way that no compiler leaves out.
void p256_lanes_wipe(void *memory, size_t count);

#endif
