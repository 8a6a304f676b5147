"""Packs an image that buildah wrote as a folder into an archive: an OCI layout that is at the same time what `docker save`
writes. Docker before 25 loads only the latter, others prefer the former; both share all files."""

import argparse
import gzip
import hashlib
import io
import json
import pathlib
import tarfile

CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


class Archive:
    """A tar file with blobs under their digests. The same contents give the same bytes."""

    def __init__(self, file):
        self.tar = tarfile.open(file, "w", format=tarfile.GNU_FORMAT)
        self.names = set()

    def add(self, name, data):
        if name in self.names:
            return
        self.names.add(name)
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(data), 0o644
        self.tar.addfile(entry, io.BytesIO(data))

    def blob(self, media_type, data):
        """Adds a blob; returns its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.add(f"blobs/sha256/{digest}", data)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}

    def document(self, name, value):
        self.add(name, compact(value))


def compact(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def path(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def pack(folder, file, name):
    """Writes the image in `folder`, as `buildah push … dir:` left it, to `file`. `name` is REPOSITORY:TAG."""
    written = json.loads((folder / "manifest.json").read_bytes())
    archive = Archive(file)

    def source(descriptor):
        return (folder / descriptor["digest"].split(":")[1]).read_bytes()

    layers = []
    for layer in written["layers"]:
        data = source(layer)
        # Uncompressed where buildah keeps it so.
        if data[:2] != b"\x1f\x8b":
            data = gzip.compress(data, 9, mtime=0)
        layers.append(archive.blob(LAYER, data))
    # As it is: with the check of health, which OCI's own fields do not have, but Docker's reader of them knows.
    config = archive.blob(CONFIG, source(written["config"]))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
    entry = archive.blob(MANIFEST, compact(manifest))
    made = json.loads(source(written["config"]))
    entry["platform"] = {"os": made["os"], "architecture": made["architecture"]}
    entry["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/{name}",
        "org.opencontainers.image.ref.name": name.split(":")[1],
    }
    archive.document("index.json", {"schemaVersion": 2, "mediaType": INDEX, "manifests": [entry]})
    archive.document("oci-layout", {"imageLayoutVersion": "1.0.0"})
    docker = {"Config": path(config), "RepoTags": [name], "Layers": [path(layer) for layer in layers]}
    archive.document("manifest.json", [docker])
    archive.tar.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("name")
    arguments = parser.parse_args()
    pack(arguments.folder, arguments.file, arguments.name)
