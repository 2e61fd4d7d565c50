import type { ProgramTable } from './attackTable.ts';

export const pythonAttacks: readonly ProgramTable[] = [
  {
    rule: 'pytest',
    runsCode: `
      pytest -p evil
      pytest -pevil
      pytest -vp evil
      pytest -p no:cacheprovider
      pytest -c evil.ini
      pytest -cevil.ini
      pytest --config-file=evil.toml
      pytest --rootdir /tmp
      pytest --rootdir=..
      pytest --confcutdir=/
      pytest -o addopts=-pevil
      pytest --override-ini=python_files=x
      pytest --override-ini pythonpath=/tmp
      pytest --pdbcls=evil:Pdb
      pytest --pdb
      pytest --trace
      pytest --pyargs evil
      pytest -W error::evil.Warning
      pytest --cov-config=evil
      pytest -n 2 --tx ssh=x//python=evil
      pytest --tx popen//python=/tmp/x
      pytest @evil.txt
      pytest -k "__import__('os').system('x')"
      pytest -k "exec(input())"
      pytest -k "breakpoint ()"
      pytest -m "().__class__"
      pytest /tmp/test_evil.py
      pytest ../test_evil.py
      pytest tests/../../test_evil.py
      pytest ~/test_evil.py
      pytest -- ../x
      PYTEST_ADDOPTS=-pevil pytest
      PYTHONPATH=/tmp pytest
    `,
    writesOutside: `
      pytest --basetemp=/home/u
      pytest --basetemp ../x
      pytest --baset=/tmp/x
      pytest --basetemp x
      pytest --junitxml=/tmp/x.xml
      pytest --junit-xml ../x.xml
      pytest --log-file=/tmp/x
      pytest --result-log=/tmp/x
      pytest --report-log ../x
      pytest --html=/tmp/x.html
      pytest --debug=/tmp/x
      pytest --cov-report=html:/tmp/x
      pytest --cov-report xml:../x
      pytest --cache-clear
      pytest --pastebin=all
    `,
    readsOutside: `
      pytest --ignore=../x
      pytest --cov=/etc
      pytest --cov ../x
      pytest $HOME/x
      pytest file:///etc/x
    `,
    useful: `
      pytest
      pytest -q tests/test_a.py
      pytest tests/test_a.py::TestX::test_y
      pytest -xvs -k "a and not (b or c)"
      pytest -m "not slow"
      pytest --maxfail=1 --tb=short
      pytest -n auto --durations 10
      pytest tests/test_*.py --lf
      pytest --cov=src --cov-report=term-missing
    `,
  },
  {
    rule: 'ruff',
    runsCode: `
      ruff server
      ruff check --config evil.toml
      ruff check --config=../ruff.toml
      ruff check --config "extend='/tmp/x'"
      ruff check --conf evil.toml
      ruff lsp
      ruff analyze graph --python /tmp/python
      ruff config
      ruff check --extension x:python
    `,
    writesOutside: `
      ruff check -o /tmp/x
      ruff check --output-file=../x
      ruff check --output-file x.py
      ruff check --fix ../other
      ruff check --fix /tmp/x
      ruff format ~/x
      ruff format ../a.py
      ruff format /tmp
      ruff format -- ../a
      ruff check --cache-dir=/tmp
      ruff check --cache-dir ../x
      ruff clean
    `,
    readsOutside: `
      ruff check /etc
      ruff check --stdin-filename ../x -
      ruff check src/../../x
      ruff check --per-file-ignores ../x:E
      ruff check @/tmp/args
      ruff check @args
    `,
    other: `
      ruff check --watch
      ruff check -w
      ruff check --add-noqa
      ruff src
    `,
    useful: `
      ruff check
      ruff check --fix src
      ruff check --select E,F src/a.py
      ruff format --check .
      ruff format src
      ruff check -q --output-format=concise
    `,
  },
  {
    rule: 'mypy',
    runsCode: `
      mypy --config-file evil.ini src
      mypy --config-file=/tmp/x src
      mypy --config evil.ini src
      mypy --python-executable ./evil src
      mypy --python-executable=/tmp/x src
      mypy --python-exec ./evil src
      mypy --custom-typeshed-dir /tmp src
      mypy --custom-typing-module evil src
      mypy --plugin evil src
      mypy -c "import evil"
      mypy @evil.txt
      mypy --no-site-packages --pdb src
      mypy --shadow-file a.py /tmp/x src
      MYPYPATH=/tmp mypy src
    `,
    writesOutside: `
      mypy --cache-dir=/tmp src
      mypy --cache-dir ../x src
      mypy --html-report /tmp src
      mypy --any-exprs-report=../x src
      mypy --cobertura-xml-report /tmp src
      mypy --junit-xml /tmp/x src
      mypy --junit-xml=x src
      mypy --linecount-report /tmp src
      mypy --xslt-txt-report ../x src
      mypy --timing-stats /tmp/x src
    `,
    readsOutside: `
      mypy /etc
      mypy ../other
      mypy ~/x.py
      mypy --quickstart-file /tmp/x src
      mypy --exclude-gitignore --files /tmp
    `,
    network: `
      mypy --install-types src
      mypy --install-types --non-interactive src
    `,
    useful: `
      mypy .
      mypy src
      mypy --strict src/a.py
      mypy -p package
      mypy --ignore-missing-imports --python-version 3.12 src
    `,
  },
  {
    rule: 'pyright',
    runsCode: `
      pyright --pythonpath ./evil
      pyright --pythonpath=/tmp/python
      pyright -p ../other
      pyright --project /tmp
      pyright -p evil.json
      pyright --venvpath /tmp
      pyright --venv-path=..
      pyright -v /tmp
      pyright -t /tmp
      pyright --typeshedpath ../x
      pyright --typeshed-path=/tmp
      pyright @evil
      PYRIGHT_PYTHON_FORCE_VERSION=latest pyright
    `,
    writesOutside: `
      pyright --createstub evil
      pyright --createstub ../x
      pyright --writebaseline
      pyright --baselinefile /tmp/x
    `,
    readsOutside: `
      pyright /etc
      pyright ../other
      pyright ~/x.py
      pyright --verifytypes evil
      pyright -
      pyright --files ../x
    `,
    other: `
      pyright -w
      pyright --watch
    `,
    useful: `
      pyright
      pyright src
      pyright --outputjson src/a.py
      pyright --level error
      pyright --pythonversion 3.12 src
      pyright --warnings
    `,
  },
  {
    rule: 'black',
    runsCode: `
      black --config evil.toml .
      black --config=/tmp/x .
      black --conf evil.toml .
      black -c "print(1)"
      black --code x
      black --python-cell-magics evil .
      black --enable-unstable-feature x .
      black --required-version 1 .
    `,
    writesOutside: `
      black ../other
      black /tmp/x.py
      black ~/x.py
      black a/../../b
      black -- ../b
      black $HOME/x
      black -q ../x
      black {a,/../../x}
      BLACK_CACHE_DIR=/tmp black .
    `,
    readsOutside: `
      black --stdin-filename ../x -
      black -
      black --diff /etc/passwd
      black --check ../x
      black --exclude /x .
      black @x
      black src/.?/x
    `,
    useful: `
      black .
      black --check src
      black --diff src/a.py
      black -l 100 src
      black -q --line-length=88 src/*.py
    `,
  },
  {
    rule: 'flake8',
    runsCode: `
      flake8 --config evil.ini
      flake8 --config=/tmp/x
      flake8 --append-config evil.ini
      flake8 --append-config=../x
      flake8 --conf evil
      flake8 --enable-extensions evil
      flake8 --require-plugins=evil
      flake8 --isolated --config x
      flake8 --format evil
      flake8 --bug-report --x
    `,
    writesOutside: `
      flake8 --output-file /tmp/x
      flake8 --output-file=../x
      flake8 --output-file x.py
      flake8 --tee --output-file=/tmp/x
      flake8 --output=/tmp/x
    `,
    readsOutside: `
      flake8 /etc
      flake8 ../other
      flake8 ~/x.py
      flake8 --stdin-display-name ../x -
      flake8 -
      flake8 --exclude=../x
      flake8 --filename /etc/*
      flake8 @x
    `,
    useful: `
      flake8
      flake8 src
      flake8 --max-line-length=100 src
      flake8 --select E,W src/a.py
      flake8 --count --statistics
    `,
  },
  {
    rule: 'isort',
    runsCode: `
      isort --settings-path /tmp .
      isort --settings-file=evil.cfg .
      isort --settings ../x .
      isort --sp /tmp .
      isort --virtual-env /tmp .
      isort --conda-env=/tmp .
      isort --sort-order evil .
      isort --formatter evil .
      isort --profile evil .
      isort --config-root / --resolve-all-configs .
      isort --src /tmp .
      isort --src-path ../x .
    `,
    writesOutside: `
      isort ../other
      isort /tmp/x.py
      isort ~/x.py
      isort a/../../b
      isort -- ../b
      isort $HOME/x
    `,
    readsOutside: `
      isort --diff /etc/passwd
      isort --filename ../x -
      isort -
      isort --skip ../x .
      isort @x
    `,
    useful: `
      isort .
      isort --check-only src
      isort --profile black src
      isort --diff src/a.py
      isort -l 100 src
    `,
  },
  {
    rule: 'python -m unittest',
    runsCode: `
      python -m unittest os.abort
      python -m unittest antigravity
      python -m unittest idlelib.idle.main
      python -m unittest evil
      python -m unittest test.support.script_helper
      python -m unittest discover -s /tmp
      python -m unittest discover -s ..
      python -m unittest discover --start-directory=/tmp
      python -m unittest discover -t /tmp
      python -m unittest discover -p ../evil.py
      python -m unittest discover --top ..
      python -m unittest /tmp/test_evil.py
      python -m unittest ../test_evil.py
      python -m unittest ~/test_evil.py
      python -m unittest a/../../test_evil.py
      python -c "import unittest"
      python -m http.server
      python -m pytest -p evil
      python -m unittest @evil
      python -m compileall
      PYTHONSTARTUP=/tmp/x python -m unittest
      python -I -m unittest
    `,
    useful: `
      python -m unittest
      python -m unittest -v tests.test_a
      python -m unittest discover -s tests -p "test_*.py"
      python -m unittest -k name -f
      python -m unittest tests/test_a.py
    `,
  },
  {
    rule: 'python -m pylint',
    runsCode: `
      python -m pylint --init-hook="import os"
      python -m pylint --init-hook x src
      python -m pylint --load-plugins evil src
      python -m pylint --load-plugins=evil src
      python -m pylint --rcfile evil src
      python -m pylint --rcfile=/tmp/x src
      python -m pylint --rc evil src
      python -m pylint -f evil.Reporter src
      python -m pylint --output-format=evil.Reporter src
      python -m pylint --source-roots /tmp src
      python -m pylint --extension-pkg-allow-list=evil src
      python -m pylint --unsafe-load-any-extension=y src
    `,
    writesOutside: `
      python -m pylint --output=/tmp/x src
      python -m pylint --output ../x src
      python -m pylint --import-graph=/tmp/x.dot src
      python -m pylint --ext-import-graph ../x src
      python -m pylint -f text:/tmp/x src
    `,
    readsOutside: `
      python -m pylint /etc
      python -m pylint ../x
      python -m pylint --from-stdin ../x
      python -m pylint --spelling-private-dict-file=/tmp/x src
    `,
    useful: `
      python -m pylint src
      python -m pylint -E src/a.py
      python -m pylint --disable=C0114,R src
      python -m pylint -j 4 src
      python -m pylint -r n --score=n src
    `,
  },
];
