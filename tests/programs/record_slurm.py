"""record_slurm.py LOAD WORKERS LOG: Slurm with one node of so many processors and its accounting on MariaDB, under a load of jobs that
take one each; what `sacct --parsable2` prints. Needs root: slurmd does.
"""
import getpass
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from programs import MISSING, NAME, accepts, end_on_signals, free_port, need, read_load, running, send_at, wait_until, write_seen

SLURMDBD = """
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdPort={dbd}
SlurmUser={user}
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={mariadb}
StorageUser={user}
StoragePass=none
StorageLoc=slurm
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
"""
SLURM = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort={dbd}
AccountingStoragePass={folder}/munge.socket
NodeName={host} NodeAddr=127.0.0.1 CPUs={workers} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
FIELDS = 'JobID,Submit,Start,End,State'


def write(path, text, mode=0o600):
    with open(path, 'w') as file:
        file.write(text)
    os.chmod(path, mode)


def output(command, environment):
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60).stdout


def record(load, log, settings, environment):
    """With Slurm running: submits the jobs, waits for their ends, asks for the accounts."""
    jobs, sent, seen = [], [], []

    def send(_, size):
        sent.append(time.monotonic())
        jobs.append(output(['sbatch', '--parsable', '-n1', '-o/dev/null', f'--wrap=sleep {size}'], environment).strip())

    def look():
        waiting = output(['squeue', '-h', '-o', '%i'], environment).split()
        while len(seen) < len(jobs) and jobs[len(seen)] not in waiting:
            seen.append(time.monotonic() - sent[len(seen)])
        return len(seen) == len(load)

    send_at(load, send)
    assert all(jobs), 'sbatch refused a job'
    wait_until(look, 'the jobs', 300)
    accounts = ['sacct', '--parsable2', '-X', '-a', '-o', FIELDS]

    def all_told():
        lines = output(accounts, environment).splitlines()
        return len(lines) > len(load) and all('Unknown' not in line for line in lines)

    wait_until(all_told, 'the accounts', 60)
    with open(log, 'w') as file:
        file.write(output([argument for argument in accounts if argument != '-X'], environment))
    write_seen(log, seen)


def main():
    names = need('munged', 'mariadbd', 'mariadb-install-db', 'slurmdbd', 'slurmctld', 'slurmd', 'sbatch', 'sacct', 'squeue', 'sacctmgr')
    if os.geteuid() != 0:
        print(f'{NAME}: slurmd needs root', file=sys.stderr)
        raise SystemExit(MISSING)
    munged, mariadbd, install, slurmdbd, slurmctld, slurmd = names[:6]
    load, workers, log = read_load(sys.argv[1]), sys.argv[2], sys.argv[3]
    end_on_signals()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        settings = {'folder': folder, 'user': getpass.getuser(), 'host': socket.gethostname().split('.')[0], 'workers': workers,
                    'dbd': free_port(), 'mariadb': free_port(), 'controller': free_port(), 'node': free_port()}
        write(f'{folder}/slurmdbd.conf', SLURMDBD.format(**settings))
        write(f'{folder}/slurm.conf', SLURM.format(**settings), 0o644)
        write(f'{folder}/munge.key', os.urandom(64).hex())
        for part in ('state', 'spool', 'data'):
            os.mkdir(f'{folder}/{part}')
        environment = {**os.environ, 'SLURM_CONF': f'{folder}/slurm.conf'}
        subprocess.run([install, '--no-defaults', '--user=root', f'--datadir={folder}/data', '--skip-test-db',
                        '--auth-root-authentication-method=normal'], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        database = [mariadbd, '--no-defaults', '--user=root', f'--datadir={folder}/data', f'--socket={folder}/mariadb.socket',
                    f'--port={settings["mariadb"]}', '--bind-address=127.0.0.1', '--skip-grant-tables']
        munge = [munged, '--foreground', '--force', f'--socket={folder}/munge.socket', f'--key-file={folder}/munge.key',
                 f'--log-file={folder}/munge.log', f'--pid-file={folder}/munge.pid', f'--seed-file={folder}/munge.seed']
        with running(munge, folder, 'munge'), running(database, folder, 'mariadb'):
            wait_until(lambda: accepts(settings['mariadb']), 'MariaDB')
            with running([slurmdbd, '-D'], folder, 'slurmdbd', env={**environment, 'SLURM_CONF': f'{folder}/slurm.conf'}):
                wait_until(lambda: accepts(settings['dbd']), 'slurmdbd')
                output(['sacctmgr', '-i', 'add', 'cluster', 'test'], environment)
                with running([slurmctld, '-D', '-i'], folder, 'slurmctld', env=environment):
                    wait_until(lambda: accepts(settings['controller']), 'slurmctld')
                    with running([slurmd, '-D', '-N', settings['host']], folder, 'slurmd', env=environment):
                        wait_until(lambda: 'idle' in output(['sinfo', '-h', '-o', '%T'], environment), 'the node')
                        record(load, log, settings, environment)


main()
