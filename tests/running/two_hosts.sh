#!/usr/bin/env bash
# two_hosts.sh COMMAND…: two network namespaces, n1 and n2, joined by a veth pair, each with a host name
# and a CPU of its own, and the command on n1 with mpirun and mpiexec told how to reach n2 over TCP. Runs
# as root in namespaces of its own, so that all of it is gone with the command:
#   unshare -n -u -m -p -f --kill-child --mount-proc --propagation private two_hosts.sh COMMAND…
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p /run/netns
mount -t tmpfs tmpfs /run/netns
printf '127.0.0.1 localhost\n10.78.0.1 n1\n10.78.0.2 n2\n' >"$scratch/hosts"
mount --bind "$scratch/hosts" /etc/hosts
ip link set lo up
ip netns add n1
ip netns add n2
ip link add eth0 netns n1 type veth peer name eth0 netns n2
for i in 1 2; do
    ip -n n$i addr add 10.78.0.$i/24 dev eth0
    ip -n n$i link set lo up
    ip -n n$i link set eth0 up
done
# UCX takes no device that is not up, which the kernel tells up to a second later.
until ip -n n1 -br link show eth0 | grep -q ' UP ' && ip -n n2 -br link show eth0 | grep -q ' UP '; do
    sleep 0.05
done

# In the place of ssh: [OPTION]… HOST COMMAND…. `ip netns exec` also shows the host's own /sys/class/net,
# where UCX looks for devices. The last character of the name is the CPU, from 1.
mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
cat >"$scratch/agent" <<AGENT
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
host=\$1; shift
cpus=(${cpus[*]})
exec ip netns exec "\$host" unshare -u \
    taskset -c "\${cpus[\${host#n}-1]}" bash -c "hostname \$host; \$*"
AGENT
chmod +x "$scratch/agent"
export OMPI_MCA_plm_rsh_agent=$scratch/agent OMPI_MCA_btl=self,tcp
export OMPI_MCA_osc=^rdma # which can't make windows over TCP alone in Open MPI 4.1
export OMPI_MCA_btl_tcp_if_include=10.78.0.0/24 OMPI_MCA_oob_tcp_if_include=10.78.0.0/24
export HYDRA_LAUNCHER=rsh HYDRA_LAUNCHER_EXEC=$scratch/agent UCX_TLS=tcp,self
"$scratch/agent" n1 "$(printf '%q ' "$@")"
