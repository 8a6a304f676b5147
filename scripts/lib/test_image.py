"""The archive of an image is what both kinds of readers expect."""

import gzip
import hashlib
import json
import pathlib
import tarfile
import tempfile
import unittest

import image

LAYER = b"a tar file"
CONFIG = {"architecture": "amd64", "os": "linux", "config": {"Healthcheck": {"Test": ["CMD", "promisectl", "check"]}}}


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def packed(folder, layers):
    """The archive of an image with these layers, as a table of its files."""
    written = folder / "written"
    written.mkdir()
    config = json.dumps(CONFIG).encode()
    for data in [*layers, config]:
        (written / digest(data).split(":")[1]).write_bytes(data)
    manifest = {"config": {"digest": digest(config)}, "layers": [{"digest": digest(data)} for data in layers]}
    (written / "manifest.json").write_text(json.dumps(manifest))
    image.pack(written, folder / "image.tar", "promised:1.2.3")
    with tarfile.open(folder / "image.tar") as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}


class ImageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_both_tables_name_the_same_blobs(self):
        files = packed(self.folder, [LAYER, gzip.compress(b"another")])
        entry = json.loads(files["index.json"])["manifests"][0]
        manifest = json.loads(files[image.path(entry)])
        docker = json.loads(files["manifest.json"])[0]
        self.assertEqual(docker["RepoTags"], ["promised:1.2.3"])
        self.assertEqual(docker["Config"], image.path(manifest["config"]))
        self.assertEqual(docker["Layers"], [image.path(layer) for layer in manifest["layers"]])
        self.assertEqual(entry["annotations"]["org.opencontainers.image.ref.name"], "1.2.3")
        self.assertEqual(json.loads(files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
        for name, data in files.items():
            if name.startswith("blobs/"):
                self.assertEqual("blobs/" + digest(data).replace(":", "/"), name)

    def test_layers_are_compressed_once(self):
        compressed = gzip.compress(b"another")
        files = packed(self.folder, [LAYER, compressed])
        first, second = (files[name] for name in json.loads(files["manifest.json"])[0]["Layers"])
        self.assertEqual((gzip.decompress(first), second), (LAYER, compressed))

    def test_the_check_of_health_stays(self):
        files = packed(self.folder, [LAYER])
        config = json.loads(files[json.loads(files["manifest.json"])[0]["Config"]])
        self.assertEqual(config["config"]["Healthcheck"]["Test"], ["CMD", "promisectl", "check"])

    def test_the_same_image_gives_the_same_bytes(self):
        folders = [self.folder / "a", self.folder / "b"]
        for folder in folders:
            folder.mkdir()
            packed(folder, [LAYER])
        self.assertEqual(*[(folder / "image.tar").read_bytes() for folder in folders])

    def test_equal_layers_are_stored_once(self):
        files = packed(self.folder, [LAYER, LAYER])
        self.assertEqual(len(set(json.loads(files["manifest.json"])[0]["Layers"])), 1)
