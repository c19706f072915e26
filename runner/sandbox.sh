# Makes a sandbox from within and runs a command in it. It runs as the root user of new namespaces and as their first
# process: when it ends, all processes in them are killed. Arguments: the new root folder, the ids of user and group,
# the working folder; then pairs of a kind and a path up to `--`; then the command.
# Descriptor 3 closes when the runner dies, and then everything here ends.
set -e
root=$1 user=$2 group=$3 folder=$4
shift 4
exec 2>&1
(trap '' TERM; exec >/dev/null 2>&1; read -r end <&3 || kill -KILL 0) &
exec 3<&-
# When memory runs out, the system ends jobs before anything else.
echo 1000 >/proc/self/oom_score_adj
ip link set lo up 2>/dev/null || ifconfig lo up

newline='
'
# Makes the mounts at and below the given points read-only; points are a line each. A remount repeats the flags of its
# mount, and does not reach the mounts below it. The list is read at once: `read` takes a system call for each byte.
make_readonly() {
  mounts=$(cat /proc/self/mountinfo)
  set -f
  IFS=$newline
  for mount in $mounts; do
    mount=${mount#* * * * }
    point=${mount%% *}
    flags=${mount#* }
    flags=${flags%% *}
    case $point in *\\*) point=$(printf '%b' "$point") ;; esac
    for ancestor in $1; do
      case $point in
        "$ancestor" | "$ancestor"/*)
          mount -o "remount,bind,$flags,ro" "$point"
          break
          ;;
      esac
    done
  done
  set +f
  unset IFS
}
bind() {
  if [ -d "$1" ]; then
    [ -d "$root$2" ] || mkdir -p "$root$2"
  else
    [ -d "$root${2%/*}" ] || mkdir -p "$root${2%/*}"
    [ -e "$root$2" ] || : >"$root$2"
  fi
  mount --rbind "$1" "$root$2"
}
# Mounts all lines of a table as in fstab(5) with one process. Targets are relative to the new root folder.
mount_table() {
  printf '%s' "$1" >mounts
  mount --all --fstab mounts
}

mount -t tmpfs -o size=4m,mode=755 sandbox "$root"
cd "$root"
mkdir -p dev/pts dev/shm proc run tmp var .old
ln -s ../tmp var/tmp
ln -s /proc/self/fd pts/ptmx dev
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
for name in null zero full random urandom tty; do
  : >"dev/$name"
done
mount_table '/dev/null dev/null none bind
/dev/zero dev/zero none bind
/dev/full dev/full none bind
/dev/random dev/random none bind
/dev/urandom dev/urandom none bind
/dev/tty dev/tty none bind
devpts dev/pts devpts newinstance,ptmxmode=0666,mode=0620
sandbox dev/shm tmpfs size=256m,mode=1777,nosuid,nodev
proc proc proc nosuid,nodev,noexec
'

# One more user namespace is made below; the job makes none.
echo 1 >proc/sys/user/max_user_namespaces
table=
# These would obey a job if the runner is the root user of the machine.
for name in sys sysrq-trigger irq bus fs acpi scsi; do
  [ ! -e "proc/$name" ] || table="${table}proc/$name proc/$name none bind,ro,nosuid,nodev,noexec$newline"
done
for name in kcore keys timer_list; do
  [ ! -e "proc/$name" ] || table="$table/dev/null proc/$name none bind$newline"
done
mount_table "$table"
rm mounts

points=
while [ "$1" != -- ]; do
  # What is mounted next may lie in a folder that is read-only, and stays writable.
  if [ "$1" != readable ] && [ -n "$points" ]; then
    make_readonly "$points"
    points=
  fi
  case $1 in
    link) ln -s "$(readlink "$2")" "$root$2" ;;
    readable)
      case $2 in *"$newline"*) echo "A path has a line break: $2" && exit 1 ;; esac
      bind "$2" "$2"
      points=$points$root$2$newline
      ;;
    writable) bind "$2" "$2" ;;
    temporary) bind "$2" /tmp ;;
    hidden)
      if [ -d "$root$2" ]; then
        mount -t tmpfs -o size=1m,mode=755 sandbox "$root$2"
      elif [ -e "$root$2" ]; then
        mount --bind /dev/null "$root$2"
      fi
      ;;
  esac
  shift 2
done
[ -z "$points" ] || make_readonly "$points"
shift

cd "$root"
pivot_root . .old
umount -l /.old
rmdir /.old
mount -o remount,bind,ro /
cd "$folder"
# The job keeps no right over these namespaces, and no program gives it one.
bounds=
[ "$user" != 0 ] || bounds=--bounding-set=-all
set +e
unshare --user --map-user="$user" --map-group="$group" -- \
  setpriv --no-new-privs --inh-caps=-all $bounds -- "$@"
exit $?
