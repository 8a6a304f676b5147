"""Prints the bill of materials of the programs, as an SPDX 2.3 document in JSON."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import uuid

# A row of the table in NOTICE: the package, its licence and the holders of the copyright, two blanks apart.
ROW = re.compile(r"^(\S+) {2,}(\S.*?) {2,}(\S.*)$")
# The licences as NOTICE spells them, as SPDX expressions.
LICENCES = {
    "Apache-2.0": "Apache-2.0",
    "Apache-2.0, Runtime Library Exception": "Apache-2.0 WITH Swift-exception",
    "MIT": "MIT",
}
NAMESPACE = "https://promised.example/spdx/"


class Fault(Exception):
    """A sentence for the reader."""


def notices(root):
    """The licence and the copyright of each package, by its identity."""
    lines = (root / "NOTICE").read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Package "))
    table = {}
    for line in lines[start + 1 :]:
        if not line:
            break
        row = ROW.match(line)
        if not row or row[2] not in LICENCES:
            raise Fault(f"NOTICE has a row that cannot be read: {line}")
        table[row[1]] = (LICENCES[row[2]], row[3])
    return table


def version(root):
    """The version of the product."""
    source = root / "Sources/PromisedServer/Values/ProductVersion.swift"
    found = re.search(r'static let text = "([^"]+)"', source.read_text(encoding="utf-8"))
    if not found:
        raise Fault("the version of the product cannot be read")
    return found[1]


def toolchain():
    """The version of the Swift compiler."""
    output = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", output)
    if not found:
        raise Fault("the version of Swift cannot be read")
    return found[1]


def item(name, number, purpose, **fields):
    """A package of the document; SPDX requires these fields of each."""
    identifier = re.sub(r"[^A-Za-z0-9.]+", "-", f"{purpose}-{name}")
    return {
        "SPDXID": f"SPDXRef-{identifier}",
        "name": name,
        "versionInfo": number,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        **fields,
    }


def reference(kind, locator):
    """A package URL (purl) by which scanners find known vulnerabilities."""
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": kind, "referenceLocator": locator}]


def swift_packages(root):
    """The packages that were resolved, those of other packages included."""
    table = notices(root)
    items = []
    for pin in json.loads((root / "Package.resolved").read_text(encoding="utf-8"))["pins"]:
        name, state = pin["identity"], pin["state"]
        if name not in table:
            raise Fault(f"NOTICE does not name {name}")
        licence, copyright_text = table[name]
        address = pin["location"].removesuffix(".git")
        number = state.get("version", state["revision"])
        path = address.removeprefix("https://")
        items.append(item(
            name, number, "swift",
            downloadLocation=f"git+{address}.git@{state['revision']}",
            licenseConcluded=licence,
            licenseDeclared=licence,
            copyrightText=f"Copyright {copyright_text}",
            externalRefs=reference("purl", f"pkg:swift/{path}@{number}"),
        ))
    return sorted(items, key=lambda entry: entry["name"])


def runtime():
    """The Swift runtime and Foundation, which static builds contain."""
    number = toolchain()
    licence = "Apache-2.0 WITH Swift-exception"
    return item(
        "swift", number, "toolchain", downloadLocation="https://www.swift.org/install/linux/",
        licenseConcluded=licence, licenseDeclared=licence,
        copyrightText="Copyright Apple Inc. and the Swift project authors",
    )


def shared_libraries(program):
    """The Debian packages of the libraries that a program loads, itself and through others."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True)
    if listed.returncode:
        raise Fault(f"ldd cannot read {program}: {listed.stderr.strip()}")
    paths = re.findall(r"=> (/\S+)", listed.stdout)
    owners = {}
    for path in {path for found in paths for path in (found, str(pathlib.Path(found).resolve()))}:
        owner = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
        if owner.returncode == 0:
            name, _, _ = owner.stdout.partition(": ")
            owners[name.split(":")[0]] = name
    items = []
    for name, qualified in sorted(owners.items()):
        shown = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", qualified], check=True, capture_output=True, text=True,
        )
        locator = f"pkg:deb/debian/{name}@{shown.stdout}"
        items.append(item(name, shown.stdout, "deb", externalRefs=reference("purl", locator)))
    return items


def document(root, day, program):
    """The whole document; equal for equal trees."""
    product = item(
        "promised", version(root), "product", licenseConcluded="Apache-2.0", licenseDeclared="Apache-2.0",
        copyrightText="Copyright 2026 The promised developers", primaryPackagePurpose="APPLICATION",
    )
    contained = [*swift_packages(root), runtime()]
    loaded = shared_libraries(program) if program else []
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", product["SPDXID"])]
    relations += [(product["SPDXID"], "STATIC_LINK", entry["SPDXID"]) for entry in contained]
    relations += [(product["SPDXID"], "DYNAMIC_LINK", entry["SPDXID"]) for entry in loaded]
    packages = [product, *contained, *loaded]
    name = f"promised-{product['versionInfo']}"
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"{NAMESPACE}{name}-{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(packages))}",
        "creationInfo": {"created": f"{day}T00:00:00Z", "creators": ["Tool: scripts/package sbom"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}
            for left, kind, right in relations
        ],
    }


def main():
    """Prints the document of the tree that the first argument names."""
    parser = argparse.ArgumentParser(prog="scripts/package sbom")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--date", required=True)
    parser.add_argument("--program")
    options = parser.parse_args()
    json.dump(document(options.root, options.date, options.program), sys.stdout, ensure_ascii=False, indent=2)
    print()


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        sys.exit(1)
