# SPDX-License-Identifier: MIT
# Completion for bash: in a checkout, `source bin/completion/saffron.bash`.
# What is completed is decided by `saffron --complete`.
# shellcheck shell=bash

_saffron() {
   local typed=${COMP_LINE:0:COMP_POINT} words word part
   read -ra words <<<"$typed"
   # A new word has been begun.
   case $typed in *[[:space:]]) words+=("") ;; esac
   word=${words[-1]}
   mapfile -t COMPREPLY < <("${words[0]}" --complete "${words[@]:1}" \
      2>/dev/null)
   if [ ${#COMPREPLY[@]} = 0 ]; then
      compopt -o default # files, or a program and what it completes
      return
   fi
   # An option whose value follows, or one whose name is going on.
   case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
   # For bash '=' and ':' end a word.
   case $COMP_WORDBREAKS in
   *=*)
      case $word in
      *=*)
         part=${word%"${word##*=}"}
         COMPREPLY=("${COMPREPLY[@]#"$part"}") ;;
      esac ;;
   esac
}
complete -F _saffron saffron
