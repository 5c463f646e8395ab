#!/bin/bash
# A cluster of three nodes on this machine: n1, n2 and n3, each with a network, a host name and
# mounts of its own, Slurm's controller beside them. Says "ready" when the nodes are idle, and lives
# until its standard input ends. To be started in namespaces of its own (see engine.py), with which
# everything in it dies.
#
#     slurm.sh FOLDER CPUS1 CPUS2 CPUS3
#
# The CPUs of a node, as taskset takes them: nodes with CPUs of their own can exchange messages.
set -e
folder=$1 nodes="n1 n2 n3"
shift
hostname ctl
ip link set lo up
mkdir -p "$folder"/{etc,state,log,run,nodetmp} /run/netns
mount -t tmpfs tmpfs /run/netns

{ printf '127.0.0.1 localhost\n10.77.0.100 ctl\n'
  for node in $nodes; do echo "10.77.0.${node#n} $node"; done
} >"$folder/etc/hosts"
mount --bind "$folder/etc/hosts" /etc/hosts

ip link add br0 type bridge
ip addr add 10.77.0.100/24 dev br0
ip link set br0 up
for node in $nodes; do
    ip netns add "$node"
    ip link add "v$node" type veth peer name eth0 netns "$node"
    ip link set "v$node" master br0 up
    ip -n "$node" addr add "10.77.0.${node#n}/24" dev eth0
    ip -n "$node" link set eth0 up
    ip -n "$node" link set lo up
    mkdir -p "$folder/spool/$node"
    echo "$1" >"$folder/run/cpus.$node"
    shift
done

head -c 1024 /dev/urandom >"$folder/etc/munge.key"
chmod 600 "$folder/etc/munge.key"
munged --force --socket="$folder/run/munge.sock" --key-file="$folder/etc/munge.key" \
    --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
    --seed-file="$folder/run/munge.seed"

cat >"$folder/etc/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=ctl
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$folder/run/munge.sock
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmdSpoolDir=$folder/spool/%n
StateSaveLocation=$folder/state
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
SlurmdParameters=config_overrides
NodeName=n[1-3] CPUs=2 RealMemory=2000
PartitionName=p Nodes=n[1-3] Default=YES MaxTime=10 State=UP
CONF
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$folder/etc/cgroup.conf"
echo "PMIxCliTmpDirBase=$folder/nodetmp" >"$folder/etc/mpi.conf"
export SLURM_CONF=$folder/etc/slurm.conf
slurmctld -f "$SLURM_CONF"
for node in $nodes; do
    taskset -c "$(<"$folder/run/cpus.$node")" nsenter --net="/run/netns/$node" unshare -u -m bash -c "
        hostname $node; mount -t tmpfs tmpfs $folder/nodetmp
        exec slurmd -N $node -f $SLURM_CONF"
done
for _ in $(seq 100); do
    [[ $(sinfo -h -t idle -o %D 2>/dev/null) == 3 ]] && break
    sleep 0.1
done
echo ready
cat >/dev/null # not exec: the shell is the first process here, and buries what nobody waits for
