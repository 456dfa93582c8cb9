#!/usr/bin/env python3
"""Usage: packaging/notices.py ARTIFACT [MAP...]
       packaging/notices.py --sbom VERSION

Print the licences of what an artifact contains of other projects: wheel, wheel-windows, npm, page, linux or windows.
Those of the libraries in the programs for Linux and Windows are in Debian's packages, from which they are linked. The
linker's maps of programs and of WebAssembly modules show whether any is missing; what is in scripts is compared where
these are bundled. With --sbom, print what all artifacts of this version contain as a software bill of materials, in the
JSON of CycloneDX."""

import json
import os
import pathlib
import re
import subprocess
import sys

MIT = re.compile(r'Permission is hereby granted.*?DEALINGS IN\s+THE\s+SOFTWARE\.', re.DOTALL)
TOP = pathlib.Path(__file__).resolve().parents[1]
TEXTS = pathlib.Path(__file__).with_name('notices')
NAMES = {
    'cloudlibc': 'cloudlibc, the system functions in the WebAssembly modules, by way of wasi-libc',
    'lean-qr': 'lean-qr, which makes the QR codes of printed studies',
    'lit-html': 'lit-html, which draws the page',
    'musl': 'musl, the C library in the WebAssembly modules, by way of wasi-libc',
    'pako': 'pako, which uncompresses tables in browsers',
    'winpthreads': 'winpthreads, the threads of mingw-w64',
    'xxhash': 'xxHash, the checksums of tables',
    'zlib': 'zlib, which compresses tables',
}
LICENCES = {  # in the terms of SPDX
    'cloudlibc': 'BSD-2-Clause',
    'lean-qr': 'MIT',
    'lit-html': 'BSD-3-Clause',
    'musl': 'MIT',
    'pako': 'MIT AND Zlib',
    'winpthreads': 'MIT AND BSD-3-Clause',
    'xxhash': 'BSD-2-Clause',
    'zlib': 'Zlib',
}
ARTIFACTS = {
    'wheel': ['xxhash'],
    'wheel-windows': ['winpthreads', 'xxhash', 'zlib'],
    'npm': ['cloudlibc', 'musl', 'pako', 'xxhash'],
    'page': ['cloudlibc', 'lean-qr', 'lit-html', 'musl', 'pako', 'xxhash'],
}
# What needs a notice in the archives that WebAssembly modules are linked from.
WASM_ARCHIVES = {
    'libc.a': ['cloudlibc', 'musl'],
    'libc-printscan-no-floating-point.a': ['musl'],
    'libclang_rt.builtins-wasm32.a': [],
}
PACKAGES = {
    'linux': ['libc6-dev', 'libedit-dev', 'libncurses-dev', 'libbsd-dev', 'libmd-dev',
              'libxxhash-dev', 'zlib1g-dev'],
    'windows': ['mingw-w64-x86-64-dev', 'gcc-mingw-w64-x86-64-posix-runtime', 'libxxhash-dev', 'libz-mingw-w64-dev'],
}
# What the GNU Lesser General Public License demands of a program that contains the GNU C library.
RELINKING = """The programs contain the GNU C library, under the GNU Lesser General Public License. Its source is
Debian's source package glibc. To use another version of it, build the programs from the source of this release,
neutreeko-*-sources.tar.xz, as README.md says.
"""
LGPL = pathlib.Path('/usr/share/common-licenses/LGPL-2.1')  # of Debian's package base-files


def print_text(title, path):
    print(f'{title}\n{"-" * len(title)}\n\n{path.read_text(encoding="utf-8")}')


def print_licences(names):
    """Print licences. The terms of MIT, which several have, are printed once."""
    owners = {}  # the first one, by terms

    def refer(terms):
        owner = owners.setdefault(' '.join(terms[0].split()), name)
        return terms[0] if owner == name else f'(Here follow the terms that are printed above for {owner}.)'

    for name in names:
        text = MIT.sub(refer, (TEXTS / f'{name}.txt').read_text(encoding='utf-8'))
        print(f'{NAMES[name]}\n{"-" * len(NAMES[name])}\n\n{text}')


def debian_version(package):
    """The version of an installed package of Debian, or None."""
    command = ['dpkg-query', '--show', '--showformat=${Version}', package]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def has_notice(artifact, archive):
    if artifact in ARTIFACTS:
        return set(WASM_ARCHIVES.get(os.path.basename(archive), ['unknown'])) <= set(ARTIFACTS[artifact])
    # The libraries that were fetched are those of the installed packages, also for another processor.
    path = archive[archive.rindex('/usr/'):].replace('/usr/lib/aarch64-linux-gnu/', '/usr/lib/x86_64-linux-gnu/')
    done = subprocess.run(['dpkg-query', '--search', path], capture_output=True, text=True)
    return done.stdout.partition(':')[0].removesuffix('-arm64-cross') in PACKAGES[artifact]


def check_linked(artifact, maps):
    """Fail if an archive that the linker has used has no notice. GCC's libraries need none."""
    text = ''.join(pathlib.Path(path).read_text(encoding='utf-8', errors='replace') for path in maps)
    archives = {os.path.normpath(found) for found in re.findall(r'^[-\sa-f\d]*(/.*?\.a)\(', text, re.MULTILINE)}
    if not archives:
        sys.exit('notices.py: expected maps of programs, with archives')
    for archive in sorted(one for one in archives if not re.search('/gcc(-cross)?/', one)):
        if not has_notice(artifact, archive):
            sys.exit(f'notices.py: {artifact} contains {archive}, of which it has no notice')


def component(name, modules):
    """A part of artifacts; what it is named by in NAMES comes from npm or as source, all else from Debian."""
    found = {'type': 'library', 'bom-ref': name, 'name': name}
    if name not in NAMES:
        version = debian_version(name)
        return {**found, **({'version': version} if version else {}), 'purl': f'pkg:deb/debian/{name}'}
    found |= {'description': NAMES[name], 'licenses': [{'expression': LICENCES[name]}]}
    if name in modules:
        found |= {'version': modules[name], 'purl': f'pkg:npm/{name}@{modules[name]}'}
    return found


def sbom(version):
    """What the artifacts contain: each is a component that depends on its parts."""
    lock = json.loads((TOP / 'web/package-lock.json').read_text(encoding='utf-8'))
    modules = {path.removeprefix('node_modules/'): entry['version'] for path, entry in lock['packages'].items() if path}
    parts = {artifact: ARTIFACTS.get(artifact, []) + PACKAGES.get(artifact, []) for artifact in [*ARTIFACTS, *PACKAGES]}
    names = sorted({name for contained in parts.values() for name in contained})
    own = [{'type': 'application', 'bom-ref': f'neutreeko:{artifact}', 'name': f'neutreeko ({artifact})'}
           for artifact in parts]
    return {
        'bomFormat': 'CycloneDX',
        'specVersion': '1.5',
        'version': 1,
        'metadata': {'component': {'type': 'application', 'bom-ref': 'neutreeko', 'name': 'neutreeko',
                                   'version': version, 'licenses': [{'expression': 'MIT'}]}},
        'components': own + [component(name, modules) for name in names],
        'dependencies': [
            {'ref': 'neutreeko', 'dependsOn': [artifact['bom-ref'] for artifact in own]},
            *({'ref': f'neutreeko:{artifact}', 'dependsOn': contained} for artifact, contained in parts.items()),
        ],
    }


def main():
    known = [*ARTIFACTS, *PACKAGES]
    if sys.argv[1:2] == ['--sbom'] and len(sys.argv) == 3:
        print(json.dumps(sbom(sys.argv[2]), indent=1))
        return
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        sys.exit(f'notices.py: expected one of {", ".join(known)}')
    artifact, *maps = sys.argv[1:]
    if artifact in PACKAGES or maps:
        check_linked(artifact, maps)
    sys.stdout.reconfigure(encoding='utf-8', newline='\n')
    if artifact == 'linux':
        print(RELINKING)
        print_text('GNU Lesser General Public License, version 2.1', LGPL)
    print_licences(ARTIFACTS.get(artifact, []))
    for package in PACKAGES.get(artifact, []):
        print_text(f"{package}, Debian's package", pathlib.Path('/usr/share/doc') / package / 'copyright')


if __name__ == '__main__':
    main()
