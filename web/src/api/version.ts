// The version of the package that these pages were built with; the server tells its own, which may be a newer one.

import source from "../../../src/punto/__init__.py?raw";

export const VERSION = /__version__ = "([^"]+)"/.exec(source)?.[1] ?? "";
