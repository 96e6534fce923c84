"""random_scenarios.py ARTEL: scenarios drawn from the command's own schema of them, and what has to hold of each.

What `check` takes, `simulate` runs; the JSON is sound; neither --jobs nor what is left out and has a default changes a byte, and what is asked of the
results does not change them. ARTEL_SWARM_SEED=n repeats one, ARTEL_SWARM_RUNS=n makes more.
"""
import copy
import json
import math
import os
import random
import re
import subprocess
import sys

ARTEL = sys.argv[1]
SCHEMA = json.loads(subprocess.run([ARTEL, 'simulate', '--json-schema'], capture_output=True, check=True).stdout)
TABLES = SCHEMA['$defs']
NOT_DRAWN = {'expression', 'file', 'saves', 'trace', 'cache', 'next', 'duration', 'precision', 'precision_of', 'replications_max'}
POLICIES = ['central', 'random', 'round_robin', 'weighted_round_robin', 'least_loaded', 'jsq', 'jiq', 'least_work_left', 'sita', 'peak_ewma', 'jbt', 'c3', 'prequal',
            'rendezvous', 'maglev', 'weighted_least_request', {'name': 'jsq', 'd': 3, 'draws': 'different'}, {'name': 'rendezvous', 'bound': 1.25}]


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return '{ ' + ', '.join(f'{key} = {toml(inner)}' for key, inner in value.items()) + ' }'
    if isinstance(value, list):
        return '[' + ', '.join(map(toml, value)) + ']'
    return json.dumps(value) if isinstance(value, str) else 'inf' if value == math.inf else repr(value)


def text_of(scenario):
    return ''.join(f'{key} = {toml(value)}\n' for key, value in scenario.items())


def is_time(rule):
    return '(ns|us|ms' in json.dumps(rule)


class Scenarios:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.second = 10 ** self.dice.uniform(-4, 1)  # what counts as long here

    def time(self, low=0.3, high=3.0):
        seconds = self.second * 10 ** self.dice.uniform(math.log10(low), math.log10(high))
        return self.dice.choice([float(f'{seconds:.4g}'), f'{seconds * 1e3:.4g}ms', f'{seconds * 1e6:.5g}us'])

    def law(self):
        kind = self.dice.choice(['constant', 'uniform', 'exponential', 'exponential', 'erlang', 'hyperexponential', 'lognormal', 'weibull', 'bounded_pareto', 'gamma', 'empirical'])
        given = {'value': self.time(), 'mean': self.time(), 'low': self.time(0.1, 0.9), 'high': self.time(1, 9), 'scale': self.time(), 'alpha': 1.1,
                 'scv': self.dice.choice([1.0, 4.0]), 'phases': self.dice.choice([1, 3, 20]), 'shape': self.dice.choice([0.5, 2.0]), 'values': [self.time(), self.time()]}
        for rule in TABLES['workload.service']['allOf']:
            if rule['if'].get('properties', {}).get('distribution', {}).get('const') == kind:
                return {'distribution': kind, **{key: given[key] for key in rule['then']['required'] if key != 'distribution'}}
        raise LookupError(kind)

    def arrivals(self):
        kind = self.dice.choice(['poisson', 'poisson', 'constant', 'renewal', 'mmpp', 'closed'])
        rates = [{'rate': rate / self.second, 'mean_duration': self.time(10, 100)} for rate in (1.0, self.dice.choice([0.0, 5.0]))]
        more = {'renewal': {'gap': self.law()}, 'mmpp': {'states': rates}, 'closed': {'users': self.dice.choice([1, 20]), 'think': self.law()}}
        load = {} if kind == 'closed' else {'load': self.dice.choice([0.3, 0.7, 0.9, 1.5])}
        return {'kind': kind, **more.get(kind, {}), **load, **({'batch': [1, 5]} if kind == 'poisson' and self.dice.random() < 0.2 else {})}

    def value(self, table, key, rule):
        dice, kind = self.dice, rule.get('type')
        if '#/$defs/workload.service' in json.dumps(rule) and is_time(rule):
            return dice.choice([self.time(), self.law()])
        known = {'workers': dice.choice([1, 2, 5, 40]) if table != 'pool.failures.outages.item' else 0, 'max': dice.choice([2, 9]), 'users': 9, 'fork': dice.choice([1, 3]),
                 'name': f's{dice.randrange(10**6)}', 'hedge': dice.choice(['p90', self.time()]), 'warm_up': dice.choice(['auto', '20%']), 'share': 1.0,
                 'seed': dice.randrange(10**6), 'tasks': 800, 'replications': 2, 'day': 1000 * self.second, 'speed': dice.choice([0.5, 2.0]), 'speeds': dice.choice([1.0, 0.3]), 'priority': dice.choice([-1, 0, 3])}
        if key in known:
            return known[key]
        if is_time(rule):
            times = {'mtbf': (30, 1e4), 'staleness': (0.05, 3), 'network_delay': (0.01, 1), 'mean_duration': (10, 100), 'period': (3, 99), 'polling': (3, 99)}.get(key, (0.1, 30))
            return [self.time(0.01, 1)] if kind == 'array' else self.time(*times)
        if '$ref' in rule:
            return self.table(rule['$ref'].split('/')[-1])
        if 'enum' in rule or kind == 'boolean':
            return dice.choice(rule.get('enum', [True, False]))
        if 'anyOf' in rule:
            return self.value(table, key, rule['anyOf'][0])
        if kind == 'array':
            return [self.value(table, key, rule['items']) for _ in range(dice.choice([1, 2]))]
        low, high = rule.get('minimum', rule.get('exclusiveMinimum', 0)), rule.get('maximum', 20)
        if kind == 'integer':
            return int(dice.choice([low, low + 1, min(high, low + 10)]))
        return float(f'{min(high, low + dice.choice([0.01, 0.5, 1.0, 3.0])):.4g}')

    def table(self, name):
        if name == 'workload.service':
            return self.law()
        rules, made = TABLES[name]['properties'], {}
        required, allowed = TABLES[name].get('required', []), set(rules)
        if 'policy' in rules:
            made['policy'] = self.dice.choice(rules['policy']['enum'])
            then = next(rule['then'] for rule in TABLES[name]['allOf'] if rule['if']['properties']['policy']['const'] == made['policy'])
            required, allowed = then['required'], set(then['propertyNames']['enum'])
        often = self.dice.choice([0.05, 0.15, 0.4])
        for key in rules:
            if key in allowed and key not in made and (key in required or key not in NOT_DRAWN and self.dice.random() < often):
                made[key] = (self.arrivals() if key == 'arrivals' else self.dice.sample(POLICIES, 2) if key == 'policies' else self.value(name, key, rules[key]))
        return made

    def scenario(self):
        made = {name: self.table(name) for name in ('workload', 'pool', 'dispatch', 'run', 'slo')}
        if self.dice.random() < 0.2:
            made['stages'] = [self.table('stages.item')]
        for one in made['workload'].get('classes', []):
            one['share'] = 1 / len(made['workload']['classes'])
        made['run'] |= {'tasks': 800, 'replications': 2, 'warm_up': self.dice.choice(['0%', '20%'])}
        return made


def run(arguments, scenario):
    done = subprocess.run([ARTEL, *arguments, '-'], input=text_of(scenario), capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def tables(value, path=''):
    if isinstance(value, dict):
        for key in list(value):
            yield value, key, f'{path}.{key}' if path else key
            yield from tables(value[key], f'{path}.{key}' if path else key)
    for inner in value if isinstance(value, list) else []:
        yield from tables(inner, path)


def sound(drawn):
    """A scenario that `check` takes: what a refusal names is left out, until there is none."""
    scenario = drawn.scenario()
    for _ in range(60):
        status, _, err = run(['check'], scenario)
        if status == 0:
            return scenario
        assert status == 2 and err.count('-:'), f'check: {status} {err}'
        missing = re.findall(r'-:\d+:\d+: (\S+) is missing', err)
        named = [(len(path), table, key) for table, key, path in ((table, key, path.removeprefix('stages.')) for table, key, path in tables(scenario))
                 if key not in ('arrivals', 'policies', 'workload', 'dispatch', 'service', 'share', 'name') and (path in err or any(each.rpartition('.')[0] == path for each in missing))]
        if 'goes by key' in err:
            scenario['workload']['keys'] = {'count': 50}
        elif named and (longest := max(length for length, _, _ in named)):
            _, table, key = drawn.dice.choice([each for each in named if each[0] == longest])
            del table[key]
        else:
            scenario['pool'] = {'workers': 3}
            scenario['dispatch'] = {'policies': ['central', 'random']}
            scenario.pop('stages', None)
    raise AssertionError(f'refused whatever is left out: {err}\n{text_of(scenario)}')


def defaults(scenario):
    """The same with what is left out of [pool], [workload] and their callers as the schema says it is."""
    full = copy.deepcopy(scenario)
    for name, table in (('pool', full['pool']), ('workload', full['workload']), ('workload.callers', full['workload'].get('callers')), ('dispatch', full['dispatch'])):
        for key, rule in TABLES[name]['properties'].items() if table is not None else []:
            alone = key in ('queue_bound', 'speeds') and 'groups' in scenario['pool'] or key in ('budget_burst', 'hedges')
            if 'default' in rule and not alone:
                table.setdefault(key, rule['default'])
    return full


def check(answer):
    for point in answer['points']:
        for found in point['policies']:
            for table, key, path in tables(found):
                value = table[key]
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    assert math.isfinite(value) and value >= 0, f'{path}: {value}'
            shares = [found[key]['value'] for key in ('rejected', 'abandoned', 'failed', 'utilisation', 'wait_probability') if key in found]
            assert all(share is None or share <= 1 + 1e-9 for share in shares), shares
            if 'classes' in found:
                assert sum(one['tasks'] for one in found['classes']) == found['tasks']
            for one in found.get('slo', []):
                assert (one['verdict'] == 'not measured') == (one['value'] is None), one
                assert one['verdict'] != 'met' or one['value'] <= one['limit'] * (1 + 1e-9), one
                assert one['verdict'] != 'missed' or one['value'] >= one['limit'] * (1 - 1e-9), one


def one(seed):
    scenario = sound(Scenarios(seed))
    status, out, err = run(['simulate', '--json', '--jobs', '1'], scenario)
    assert status == 0, f'check takes what simulate does not: {status} {err}\n{text_of(scenario)}'
    try:
        check(json.loads(out))
    except AssertionError as problem:
        raise AssertionError(f'{problem}\n{text_of(scenario)}') from None
    for what, changed in (('--jobs 2', scenario), ('defaults written out', defaults(scenario))):
        assert run(['simulate', '--json', '--jobs', '2'], changed)[1] == out, f'{what}: other bytes\n{text_of(changed)}'
    turned = copy.deepcopy(scenario)
    turned['dispatch']['policies'].reverse()
    del turned['slo']
    status, again, err = run(['simulate', '--json'], turned)
    mine, other = ([{key: value for key, value in found.items() if key != 'slo'} for found in json.loads(text)['points'][0]['policies']] for text in (out, again))
    assert mine == other[::-1], f'policies in another order, nothing asked of them: other figures\n{text_of(turned)}'


def main():
    first, runs = int(os.environ.get('ARTEL_SWARM_SEED', '0')), int(os.environ.get('ARTEL_SWARM_RUNS', '1' if 'ARTEL_SWARM_SEED' in os.environ else '20'))
    failed = 0
    for seed in range(first, first + runs):
        try:
            one(seed)
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            failed = 1
            print(f'ARTEL_SWARM_SEED={seed}: {problem}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
