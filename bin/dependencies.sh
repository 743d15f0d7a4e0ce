# SPDX-License-Identifier: MIT
# Part of bin/saffron: what the commands need of the system, by
# dependencies.txt.
# shellcheck shell=bash

# dependencies SET...: the rows of dependencies.txt of these sets.
dependencies() {
   local file=${installed:-$root/bin}/dependencies.txt set
   for set in "$@"; do
      grep -E "^$set\\*?"$'\t' "$file"
   done
}

has_dpkg() { command -v dpkg-query >/dev/null; }

# probe KIND:NAME: whether a system that is no Debian has it.
probe() {
   local name=${1#*:} PATH=$PATH:/usr/sbin:/sbin
   case $1 in
   program:*) command -v "$name" ;;
   module:*) pkg-config --exists "$name" ;;
   python:*) PATH=/usr/bin:$PATH python3 -c "import $name" ;;
   header:*) echo "#include <$name>" | ${CC:-cc} -E - ;;
   library:*) ldconfig -p | grep "$name" ;;
   file:*) compgen -G "$name" ;;
   *) return 1 ;;
   esac >/dev/null 2>&1
}

# missing_dependencies SET...: those rows that are not there; on Debian the
# package counts. What a command does without is none if this Debian has no
# such package.
missing_dependencies() {
   local set package probe purpose there=
   if has_dpkg; then
      there=$'\n'$(dpkg-query -W -f '${db:Status-Status} ${Package}\n')$'\n'
   fi
   while IFS=$'\t' read -r set package probe purpose; do
      if [ -z "$there" ]; then
         ! probe "$probe" || continue
      else
         [[ $there != *$'\n'"installed $package"$'\n'* ]] || continue
         [ "$set" = "${set%\*}" ] || apt-cache show "$package" \
            >/dev/null 2>&1 || continue
      fi
      printf '%s\t%s\t%s\t%s\n' "$set" "$package" "$probe" "$purpose"
   done < <(dependencies "$@")
}

# print_missing: rows, for a reader.
print_missing() {
   local set package probe purpose
   while IFS=$'\t' read -r set package probe purpose; do
      if has_dpkg; then
         printf '  %-24s %s\n' "$package" "$purpose"
      else
         printf '  %-24s %s (Debian: %s)\n' "${probe#*:}" "$purpose" "$package"
      fi
   done
}

# need_packages SET...: what is missing is installed where that can be. Without
# something of 'build' or 'run' there is an end; of others it is said, and what
# wants them is skipped or fails.
need_packages() {
   local rows=() sudo=()
   mapfile -t rows < <(missing_dependencies "$@")
   [ ${#rows[@]} -gt 0 ] || return 0
   if [ "$(id -u)" != 0 ]; then
      sudo=(sudo)
      [ -t 0 ] || sudo+=(-n)
   fi
   if has_dpkg && { [ "$(id -u)" = 0 ] ||
                    "${sudo[@]}" true 2>/dev/null; }; then
      install_packages "${rows[@]}"
      return 0
   fi
   say "saffron: this system lacks:"
   printf '%s\n' "${rows[@]}" | print_missing >&2
   if printf '%s\n' "${rows[@]}" | grep -qE $'^(build|run)\t'; then
      die "install these; root, or who may use sudo, has it done here on Debian"
   fi
}

# install_packages ROW...: on Debian. `sudo` is of need_packages.
install_packages() {
   local missing log
   mapfile -t missing < <(printf '%s\n' "$@" | cut -f2)
   say "installing ${#missing[@]} packages: ${missing[*]}"
   temporary_file log
   if ! { "${sudo[@]}" apt-get update -q &&
          "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
             apt-get install -y --no-install-recommends "${missing[@]}"
        } >"$log" 2>&1; then
      tail -20 "$log" >&2
      rm -f "$log"
      die "could not install: ${missing[*]}"
   fi
   rm -f "$log"
}
