# shellcheck shell=bash disable=SC2154
# usage: scripts/client export VERSION FOLDER
#
# Exports the package to a repository of its own, with a version's tag.
#
# Copies the committed state of Clients/Swift into the git repository FOLDER, commits it there and tags it VERSION (such as
# 1.2.0). SwiftPM does not find a package below a repository's root, so an app that wants a version depends on that repository.
# Creates FOLDER if it does not exist; keeps the history of an earlier export. Push it with its tags.

options -- "$@"
((${#words[@]} == 2)) || fail "$exit_usage" "expected a version and a folder" "$(help_hint)"
version=${words[0]} folder=${words[1]}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
    fail "$exit_usage" "not a version: $version" "expected three numbers, such as 1.2.0"

if [[ ! -e $folder/.git ]]; then
    if [[ -d $folder && -n $(ls -A -- "$folder") ]]; then
        fail "$exit_failed" "$folder is neither empty nor a git repository" "name an empty folder or an earlier export"
    fi
    say "creating the repository $folder"
    git init --quiet --initial-branch=main -- "$folder"
fi
if git -C "$folder" rev-parse --quiet --verify "refs/tags/$version" >/dev/null; then
    fail "$exit_failed" "$folder already has the tag $version" "choose a higher version; existing ones are not replaced"
fi

commit=$(git -C "$root" rev-parse HEAD)
say "exporting Clients/Swift of $commit as $version"
git -C "$folder" rm -r --quiet --ignore-unmatch -- . >/dev/null
git -C "$root" archive "HEAD:Clients/Swift" | tar -x -C "$folder"
git -C "$root" archive HEAD LICENSE | tar -x -C "$folder"
name=$(git -C "$root" log -1 --format=%an)
mail=$(git -C "$root" log -1 --format=%ae)
export GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$mail GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$mail
git -C "$folder" add --all
git -C "$folder" commit --quiet --allow-empty -m "Release $version" -m "Exported from commit $commit."
git -C "$folder" tag --annotate --message "Release $version" "$version"
note "tagged $version; push with: git -C $folder push --follow-tags"
