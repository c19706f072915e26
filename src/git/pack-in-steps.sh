#!/bin/sh
# git-upload-pack runs this in place of git-pack-objects (git-config, uploadpack.packObjectsHook), where the machine has
# too little memory for one program that both walks to all objects and packs them: rev-list walks first, and
# pack-objects then reads its list. Each holds half of what the one program would.
#
# Arguments: `git [--shallow-file ''] pack-objects --revs <options>`. Input: what the client wants, `--not`, what it has.
set -eu

# The list of a shallow clone is short.
case " $* " in *' --shallow'*) exec "$@" ;; esac

shift 2
filter=
options=
for option do
  case $option in
    # These are for a program that walks itself.
    --revs | --thin) ;;
    --filter=*) filter=$option ;;
    *) options="$options $option" ;;
  esac
done

# git-upload-pack sends this to the client, which has asked for progress. Some clients show nothing else for minutes.
case " $options " in *' --progress '*) echo 'Listing objects, which takes a while in a large repository...' >&2 ;; esac

# The server removes what a crash leaves of it, by its name (leftovers.ts).
list=$(mktemp objects/tmp_list_XXXXXX)
trap 'rm -f "$list"' EXIT
trap 'exit 143' TERM
# Before git 2.42 rev-list reads no `--not` from its input.
sed -e '/^$/d' -e '/^--not$/,$ { /^--not$/d; s/^/^/; }' |
  git rev-list --objects --no-object-names ${filter:+"$filter"} --stdin >"$list"
# Each option is one word of git's own.
# shellcheck disable=SC2086
git pack-objects $options <"$list"
