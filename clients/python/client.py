"""Serves one client of clients/python to the bench: client.py NAME, or --list."""

import importlib
import sys

LIBRARIES = {"aiohttp": "aiohttp_clients", "requests": "requests_clients", "httpx": "httpx_clients"}


def listed():
    """One line per client: name, library, version. What is not installed is left out."""
    for library, module in LIBRARIES.items():
        try:
            version = importlib.import_module(library).__version__
        except ImportError:
            continue
        for name in importlib.import_module(module).CLIENTS:
            yield f"{name}\t{library}\t{version}"


def serve(name):
    library = name.partition("_")[0]
    if library not in LIBRARIES:
        sys.exit(f"error: there is no client {name!r}\nhint: client.py --list shows those that can run here")
    try:
        module = importlib.import_module(LIBRARIES[library])
    except ImportError as error:
        sys.exit(f"error: {name} cannot run: {error}\nhint: clients/python/install")
    if name not in module.CLIENTS:
        sys.exit(f"error: there is no client {name!r}; {library} has {', '.join(module.CLIENTS)}")
    module.serve(name)


def main(arguments):
    if arguments == ["--list"]:
        print(*listed(), sep="\n")
    elif len(arguments) == 1 and not arguments[0].startswith("-"):
        serve(arguments[0])
    else:
        sys.exit("usage: client.py NAME | --list")


if __name__ == "__main__":
    main(sys.argv[1:])
