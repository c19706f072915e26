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

# A remount repeats the flags of its mount, and does not reach the mounts below it.
make_readonly() {
  while read -r _ _ _ _ point flags _; do
    case $point in *\\*) point=$(printf '%b' "$point") ;; esac
    case $point in
      "$1" | "$1"/*) mount -o "remount,bind,$flags,ro" "$point" ;;
    esac
  done </proc/self/mountinfo
}
bind() {
  if [ -d "$1" ]; then
    mkdir -p "$root$2"
  else
    [ -d "$root${2%/*}" ] || mkdir -p "$root${2%/*}"
    [ -e "$root$2" ] || : >"$root$2"
  fi
  mount --rbind "$1" "$root$2"
}

mount -t tmpfs -o size=4m,mode=755 sandbox "$root"
mkdir -p "$root/dev/pts" "$root/dev/shm" "$root/proc" "$root/run" "$root/var" "$root/.old"
ln -s ../tmp "$root/var/tmp"
for name in null zero full random urandom tty; do
  bind "/dev/$name" "/dev/$name"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o size=256m,mode=1777,nosuid,nodev sandbox "$root/dev/shm"

mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
# One more user namespace is made below; the job makes none.
echo 1 >"$root/proc/sys/user/max_user_namespaces"
# These would obey a job if the runner is the root user of the machine.
for name in sys sysrq-trigger irq bus fs acpi scsi; do
  [ -e "$root/proc/$name" ] || continue
  mount --bind "$root/proc/$name" "$root/proc/$name"
  make_readonly "$root/proc/$name"
done
for name in kcore keys timer_list; do
  [ ! -e "$root/proc/$name" ] || mount --bind /dev/null "$root/proc/$name"
done

while [ "$1" != -- ]; do
  case $1 in
    link) ln -s "$(readlink "$2")" "$root$2" ;;
    readable)
      bind "$2" "$2"
      make_readonly "$root$2"
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
