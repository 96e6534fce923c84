# After expect.sh and map_expect.sh: the hosts alpha, beta and gamma, which nobody reaches, for ssh as it is. A server for each
# connection, which is a host as far as ssh knows; all have $folder for their home. login_shell SHELL: that of the host login.
PATH=$PATH:/usr/sbin
server=$(type -P sshd) && client=$(type -P ssh) || { echo 'there is no sshd: nothing was tested'; exit 77; }
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
for key in host user; do ssh-keygen -q -t ed25519 -N '' -f "$folder/$key"; done
cat > "$folder/sshd_config" <<END
HostKey $folder/host
AuthorizedKeysFile $folder/user.pub
StrictModes no
UsePAM no
PidFile none
SetEnv HOME=$folder
END
cat > "$folder/config" <<END
Host alpha beta
  ProxyCommand sh -c 'echo \$\$ >> $folder/%h.servers; exec $server -i -f $folder/sshd_config 2>/dev/null'
Host login
  ProxyCommand sh -c 'exec $server -i -f $folder/sshd_config -o "ForceCommand $folder/login" 2>/dev/null'
Host gamma
  ProxyCommand sh -c 'echo no way to gamma >&2; exit 1'
Host *
  User $(id -un)
  IdentityFile $folder/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
END
login_shell() { printf '#!/bin/sh\nexec %s -c "$SSH_ORIGINAL_COMMAND"\n' "$1" > "$folder/login"; chmod +x "$folder/login"; }
mkdir "$folder/bin" "$folder/tmp"
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$client" "$folder/config" > "$folder/bin/ssh"
chmod +x "$folder/bin/ssh"
PATH=$folder/bin:$PATH
export TMPDIR=$folder/tmp
ssh alpha true 2> "$folder/err" || { echo "sshd lets nobody in here: nothing was tested"; cat "$folder/err"; exit 77; }
