import type { ProgramTable } from './attackTable.ts';

export const scriptAttacks: readonly ProgramTable[] = [
  {
    rule: 'npm test',
    runsCode: `
      npm test -- --import=data:text/javascript,x
      npm test -- --require ./evil.js
      npm test -- -r ./evil.js
      npm test -- --config evil.js
      npm test -- -c evil
      npm test -- --reporter ./evil.js
      npm test -- --reporters=evil
      npm test -- --plugin=./evil.js
      npm test -- --globalSetup ./evil.js
      npm test -- -e "process.exit()"
      npm test -- --eval x
      npm test -- -p evil
      npm test -- --loader=./evil.mjs
      npm test -- --inspect-brk
      npm test --script-shell=/tmp/x
      npm test --script-shell ./evil
      npm test --node-options=--import=data:text/javascript,x
      npm test --prefix /tmp
      npm test -C ..
      npm test --userconfig=evil.npmrc
      npm test --globalconfig ./x
      npm test --workspace ../x
      npm test --ignore-scripts=false --foreground-scripts
      npm test --scripts-prepend-node-path=true
      npm test '$(touch x)'
      npm test -- \`\`
      npm test -- '\`touch x\`'
      npm_config_script_shell=./evil npm test
    `,
    writesOutside: `
      npm test -- --outputFile=/tmp/x
      npm test -- -o x
      npm test -- --out-dir ../x
      npm test -- ../other
      npm test -- --coverage-dir=/tmp
      npm test --cache /tmp/x
      npm test --logs-dir=/tmp
    `,
    readsOutside: `
      npm test /etc/passwd
      npm test -- ~/x
      npm test -- @/etc/passwd
      npm test -- a=/etc/passwd
      npm test -- file:///etc/passwd
    `,
    network: `
      npm test --registry=http://localhost
      npm test -- https://example.invalid/x.js
    `,
    useful: `
      npm test
      npm test -- --grep "a title"
      npm test -- test/a.test.js
      npm test --silent
      npm test -- --watch=false --ci
      npm test -- --coverage --bail
    `,
  },
  {
    rule: 'pnpm run build',
    runsCode: `
      pnpm run build --config evil.js
      pnpm run build -c evil
      pnpm run build --script-shell=./evil
      pnpm run build -r
      pnpm run build --dir ..
      pnpm run build -C /tmp
      pnpm run build --shell-emulator
      pnpm run build --filter ../x
      pnpm run build -- --plugin ./evil.js
      pnpm run build -- -p evil
      pnpm run build --workspace-root
      pnpm run build --use-node-version=1.0.0
      pnpm run build.evil
      pnpm run "/.*/"
      pnpm exec evil
      pnpm dlx evil
      NODE_OPTIONS=-r./x pnpm run build
    `,
    writesOutside: `
      pnpm run build -- --outdir=/tmp
      pnpm run build -- --out ../x
      pnpm run build --store-dir /tmp
      pnpm run build --reporter-hide-prefix --x
    `,
    readsOutside: `
      pnpm run build ../other
      pnpm run build /tmp/x
    `,
    useful: `
      pnpm run build
      pnpm run build --silent
      pnpm run build -- --watch=false
      pnpm run build src
      pnpm run build --if-present
    `,
  },
  {
    rule: 'node_modules/.bin/mocha',
    runsCode: `
      node_modules/.bin/mocha --import=data:text/javascript,x
      node_modules/.bin/mocha -r ./evil.js
      node_modules/.bin/mocha --config evil.js
      node_modules/.bin/mocha ../evil.js
      ./node_modules/.bin/mocha
      node_modules/../node_modules/.bin/mocha
      node_modules/.bin/esbuild a.ts --outfile=/tmp/x
      mocha
    `,
    useful: `
      node_modules/.bin/mocha
      node_modules/.bin/mocha -b test
      node_modules/.bin/mocha --grep x
      node_modules/.bin/mocha --timeout 5s test/a.js
      node_modules/.bin/mocha test/*.js
    `,
  },
  {
    rule: 'python check.py',
    runsCode: `
      python check.py -c "import os"
      python check.py shell -c x
      python check.py --eval x
      python check.py --fast
      python check.py --plugin=evil
      python check.py --lr 0.1 shell
      python check.py --lr=0.1 --exec=x
      python check.py --lr --exec
      python check.py 5
      python check.py -n 5
      python check.py --lr 0.1x
      python check.py @evil
      python -i check.py
      python -m pdb check.py
      python ./check.py
      python /tmp/check.py
      PYTHONPATH=/tmp python check.py
    `,
    writesOutside: `
      python check.py --out /tmp/x
      python check.py --out=../x
      python check.py -o/tmp/x
    `,
    readsOutside: `
      python check.py /etc/passwd
      python check.py --data ~/x
      python check.py $HOME
      python check.py src/*
    `,
    useful: `
      python check.py
      python check.py --lr 0.1
      python check.py --lr=1e-3 --trials 50
      python check.py --seed=-1
      python check.py --batch-size 32
    `,
  },
  {
    rule: './manage.py',
    runsCode: `
      ./manage.py shell -c "import os"
      ./manage.py shell
      ./manage.py dbshell
      ./manage.py runscript evil
      ./manage.py migrate
      ./manage.py flush --no-input
      ./manage.py test --testrunner evil
      ./manage.py --settings=evil
      ./manage.py --pythonpath /tmp
      ./manage.py loaddata /tmp/x
      ./manage.py dumpdata -o /tmp/x
      ./manage.py runserver 0.0.0.0:80
      ./mvnw exec:exec
      ./mvnw exec:exec -Dexec.executable=sh
      ./gradlew -I evil.gradle
      ../manage.py
      /tmp/manage.py
      manage.py
      ././manage.py
      ./manage.py -v 3
    `,
    useful: `
      ./manage.py
      ./manage.py --epochs 3
      ./manage.py --epochs=3
      ./manage.py --lr 0.1 --seed 1
      ./manage.py --workers=4 2>&1
    `,
  },
];
