"""Signatures for tokens: ES256 and RS256 in plain Python, which is fast enough for a fuzzer."""

import base64
import hashlib
import json
import secrets

# The curve P-256.
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(left, right):
    if left is None or right is None:
        return left or right
    (x1, y1), (x2, y2) = left, right
    if x1 == x2:
        if (y1 + y2) % P == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def multiply(factor, point):
    found = None
    while factor:
        if factor & 1:
            found = add(found, point)
        point = add(point, point)
        factor >>= 1
    return found


class ECKey:
    def __init__(self, secret=None):
        self.secret = secret or secrets.randbelow(N - 1) + 1
        x, y = multiply(self.secret, G)
        self.public = b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")

    def pem(self):
        """The public key as SubjectPublicKeyInfo."""
        head = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
        body = base64.b64encode(head + self.public).decode()
        lines = [body[start : start + 64] for start in range(0, len(body), 64)]
        return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])

    def sign(self, data):
        digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
        while True:
            nonce = secrets.randbelow(N - 1) + 1
            r = multiply(nonce, G)[0] % N
            s = pow(nonce, -1, N) * (digest + r * self.secret) % N
            if r and s:
                return r.to_bytes(32, "big") + s.to_bytes(32, "big")


class RSAKey:
    """A private key from PEM (PKCS#8)."""

    def __init__(self, pem):
        body = "".join(line for line in pem.strip().splitlines() if not line.startswith("-"))
        outer = elements(base64.b64decode(body))[0][1]
        inner = elements(elements(outer)[2][1])[0][1]
        numbers = [int.from_bytes(content, "big") for _, content in elements(inner)]
        self.modulus, self.exponent = numbers[1], numbers[3]

    def sign(self, data):
        size = (self.modulus.bit_length() + 7) // 8
        head = bytes.fromhex("3031300d060960864801650304020105000420")
        tail = head + hashlib.sha256(data).digest()
        padded = b"\0\1" + b"\xff" * (size - len(tail) - 3) + b"\0" + tail
        return pow(int.from_bytes(padded, "big"), self.exponent, self.modulus).to_bytes(size, "big")


def elements(data):
    """The elements of DER one after the other: (tag, content)."""
    found, place = [], 0
    while place < len(data):
        tag, length = data[place], data[place + 1]
        place += 2
        if length & 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[place : place + count], "big")
            place += count
        found.append((tag, data[place : place + length]))
        place += length
    return found


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def token(key, header, claims):
    """A JWT; claims may be text that is no JSON."""
    text = claims if isinstance(claims, str) else json.dumps(claims)
    signed = f"{base64url(json.dumps(header).encode())}.{base64url(text.encode('utf-8', 'surrogatepass'))}"
    return f"{signed}.{base64url(key.sign(signed.encode()))}"
