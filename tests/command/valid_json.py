"""valid_json.py FILE: whether a command's JSON (an object, or one a line) validates by the schema in schemas/ that it names. 77: cannot tell."""
import json
import os
import sys

try:
    from jsonschema.validators import Draft202012Validator as Validator
except ImportError:
    sys.exit(77)
SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../schemas')


def documents(text):
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def validator_of(name):
    with open(os.path.join(SCHEMAS, name.replace('/', '.') + '.json')) as file:
        schema = json.load(file)
    Validator.check_schema(schema)
    return Validator(schema)


def main():
    failed = 0
    with open(sys.argv[1]) as file:
        texts = documents(file.read())
    validators = {}
    for document in texts:
        name = document['schema']
        if name not in validators:
            validators[name] = validator_of(name)
        for error in validators[name].iter_errors(document):
            failed = 1
            print(f'{name}: {error.json_path}: {error.message[:300]}')
    sys.exit(failed)


if __name__ == '__main__':
    main()
