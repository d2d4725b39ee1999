#!/usr/bin/env python3
"""Writes an image for Docker, Podman and others, without any of them: one archive that is an OCI layout and what
`docker load` reads as well. The same root and epoch give the same bytes."""

import argparse
import gzip
import hashlib
import io
import json
import os
import tarfile
from datetime import datetime, timezone

OWNED_BY_NOROSHI = {"var/lib/noroshi"}
USER = 10001


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("root", "output", "version", "commit", "architecture"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--epoch", type=int, required=True)
    return parser.parse_args()


def layer(root, epoch):
    """A tar of everything below `root`, in the order of names."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        paths = []
        for folder, folders, files in os.walk(root):
            paths += [os.path.join(folder, name) for name in folders + files]
        for path in sorted(paths):
            name = os.path.relpath(path, root)
            info = archive.gettarinfo(path, name)
            owner = USER if name in OWNED_BY_NOROSHI else 0
            info.uid = info.gid = owner
            info.uname = info.gname = ""
            info.mtime = epoch
            if info.isreg():
                with open(path, "rb") as file:
                    archive.addfile(info, file)
            else:
                archive.addfile(info)
    return data.getvalue()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def main():
    options = arguments()
    plain = layer(options.root, options.epoch)
    packed = gzip.compress(plain, 9, mtime=0)
    created = datetime.fromtimestamp(options.epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = json.dumps(
        {
            "created": created,
            "architecture": options.architecture,
            "os": "linux",
            "config": {
                "User": f"{USER}:{USER}",
                "ExposedPorts": {"8080/tcp": {}},
                "Env": [
                    "PATH=/usr/bin",
                    "NOROSHI_DATABASE=sqlite:/var/lib/noroshi/noroshi.sqlite",
                    "NOROSHI_LISTEN=0.0.0.0:8080",
                ],
                "Entrypoint": ["/usr/bin/noroshi"],
                "Cmd": ["serve"],
                "Volumes": {"/var/lib/noroshi": {}},
                "WorkingDir": "/var/lib/noroshi",
                "StopSignal": "SIGTERM",
                "Labels": {
                    "org.opencontainers.image.title": "Noroshi",
                    "org.opencontainers.image.version": options.version,
                    "org.opencontainers.image.revision": options.commit,
                    "org.opencontainers.image.licenses": "Apache-2.0",
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(plain)}"]},
            "history": [{"created": created, "created_by": "Scripts/package container"}],
        },
        sort_keys=True,
    ).encode()
    manifest = json.dumps(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {
                "mediaType": "application/vnd.oci.image.config.v1+json",
                "digest": f"sha256:{sha256(config)}",
                "size": len(config),
            },
            "layers": [
                {
                    "mediaType": "application/vnd.oci.image.layer.v1.tar+gzip",
                    "digest": f"sha256:{sha256(packed)}",
                    "size": len(packed),
                }
            ],
        },
        sort_keys=True,
    ).encode()
    name = f"noroshi:{options.version}"
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [
            {
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "digest": f"sha256:{sha256(manifest)}",
                "size": len(manifest),
                "platform": {"architecture": options.architecture, "os": "linux"},
                "annotations": {
                    "io.containerd.image.name": f"docker.io/library/{name}",
                    "org.opencontainers.image.ref.name": options.version,
                },
            }
        ],
    }
    # What `docker load` looked for before it knew the layout; the blobs are the same.
    docker = [
        {
            "Config": f"blobs/sha256/{sha256(config)}",
            "RepoTags": [name],
            "Layers": [f"blobs/sha256/{sha256(packed)}"],
        }
    ]
    files = {
        "oci-layout": b'{"imageLayoutVersion": "1.0.0"}',
        "index.json": json.dumps(index, sort_keys=True).encode(),
        "manifest.json": json.dumps(docker, sort_keys=True).encode(),
    }
    for blob in (config, manifest, packed):
        files[f"blobs/sha256/{sha256(blob)}"] = blob
    with tarfile.open(options.output, "w", format=tarfile.GNU_FORMAT) as archive:
        for path in ("blobs", "blobs/sha256"):
            info = tarfile.TarInfo(path)
            info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, options.epoch
            archive.addfile(info)
        for path in sorted(files):
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.mtime = len(files[path]), 0o644, options.epoch
            archive.addfile(info, io.BytesIO(files[path]))


main()
