import type { ProgramTable } from './attackTable.ts';

export const javascriptAttacks: readonly ProgramTable[] = [
  {
    rule: 'mocha',
    runsCode: `
      mocha --import=data:text/javascript,process.exit(1)
      mocha --import data:text/javascript,x
      mocha --require /tmp/evil.js
      mocha -r ./evil.js
      mocha -revil
      mocha --req=./evil.js
      mocha --config evil.json
      mocha --package evil/package.json
      mocha --opts evil.opts
      mocha --loader=./evil.mjs
      mocha --experimental-loader ./evil.mjs
      mocha --reporter ./evil.js
      mocha -R evil
      mocha --ui ./evil.js
      mocha -u evil
      mocha --node-option import=data:text/javascript,x
      mocha -n require=./evil.js
      mocha --inspect-brk=0.0.0.0:9229
      mocha --v8-options --x
      mocha inspect test
      mocha --file /tmp/evil.js
      mocha /tmp/evil.js
      mocha ../evil.js
      mocha test/../../evil.js
      mocha ~/evil.js
      mocha file:///tmp/evil.js
      mocha data:text/javascript,x
      mocha -bR ./evil.js
      mocha -- ../evil.js
      NODE_OPTIONS=--import=data:text/javascript,x mocha
    `,
    writesOutside: `
      mocha --reporter-option output=/tmp/x
      mocha -O output=../x.xml
      mocha --reporter-options=output=/tmp/x
      mocha --cpu-prof-dir=/tmp
      mocha init /tmp/site
      mocha init site
      mocha --heapsnapshot-signal=SIGUSR2
    `,
    readsOutside: `
      mocha --watch-files ../x
      mocha --env-file=/etc/environment
      mocha --icu-data-dir=/tmp
    `,
    useful: `
      mocha
      mocha test/unit/x.test.ts
      mocha --grep "a title" --bail
      mocha -g "a; b" -b
      mocha --timeout 5000 test/**/*.test.js
      mocha --reporter dot
      mocha -R min --retries=2 --parallel
    `,
  },
  {
    rule: 'jest',
    runsCode: `
      jest --config=evil.js
      jest -c evil.json
      jest --config={"globalSetup":"./evil.js"}
      jest --globalSetup ./evil.js
      jest --globalTeardown=./evil.js
      jest --setupFiles ./evil.js
      jest --setupFilesAfterEnv=./evil.js
      jest --reporters ./evil.js
      jest --reporters=evil
      jest --runner ./evil.js
      jest --testRunner=./evil.js
      jest --testSequencer ./evil.js
      jest --resolver ./evil.js
      jest --transform {".*":"./evil.js"}
      jest --preset ./evil
      jest --env ./evil.js
      jest --testEnvironment=./evil.js
      jest --watchPlugins evil
      jest --filter ./evil.js
      jest --projects ../evil
      jest --snapshotSerializers evil
      jest --testResultsProcessor=./evil.js
      jest --dependencyExtractor ./evil.js
      jest --haste {"hasteImplModulePath":"./evil.js"}
      jest --rootDir /tmp
      jest --rootDir=..
      jest --roots ../evil
      jest --modulePaths /tmp
      jest --global-setup=./evil.js
      NODE_OPTIONS=--require=./evil.js jest
    `,
    writesOutside: `
      jest --outputFile=/tmp/x.json
      jest --json --outputFile ../x
      jest --coverageDirectory=/tmp
      jest --coverage-directory ../x
      jest --cacheDirectory /tmp/x
      jest --init
    `,
    readsOutside: `
      jest --findRelatedTests /etc/passwd
      jest --collectCoverageFrom=../**
      jest --runTestsByPath /tmp/x.test.js
      jest /etc/x
      jest ../other
    `,
    other: `
      jest --watch
      jest --watchAll
      jest --clearCache
    `,
    useful: `
      jest
      jest src/a.test.ts
      jest -t "adds two" --verbose
      jest --ci --coverage
      jest -i --bail=1
      jest --maxWorkers=50% --silent
      jest -u src/widget
    `,
  },
  {
    rule: 'vitest',
    runsCode: `
      vitest --config evil.ts
      vitest -c evil.ts
      vitest --config=../evil.ts
      vitest --globalSetup ./evil.ts
      vitest --setupFiles=./evil.ts
      vitest --reporter ./evil.js
      vitest --reporter=evil
      vitest --environment ./evil
      vitest --environment=evil
      vitest --runner ./evil.js
      vitest --pool ./evil.js
      vitest --execArgv=--import=data:text/javascript,x
      vitest --coverage.provider=custom --coverage.customProviderModule=./evil.js
      vitest --browser.provider=./evil
      vitest --browser
      vitest --typecheck.checker=./evil
      vitest --snapshotEnvironment ./evil.js
      vitest --diff ./evil.js
      vitest --workspace evil.ts
      vitest --project=../evil
      vitest --root /tmp
      vitest -r ../evil
      vitest --dir=/tmp
      vitest --inspect=0.0.0.0
      VITE_X=1 vitest
    `,
    writesOutside: `
      vitest --outputFile=/tmp/x
      vitest --outputFile.json ../x
      vitest --coverage.reportsDirectory=/tmp
      vitest --cache.dir=/tmp
      vitest --attachmentsDir /tmp
      vitest --cpu-prof-dir=/tmp
    `,
    readsOutside: `
      vitest ../other
      vitest run /tmp/x.test.ts
      vitest related /etc/passwd
    `,
    network: `
      vitest init browser
      vitest --api.host=0.0.0.0
      vitest --api 51204
      vitest --ui
      vitest --open
    `,
    other: `
      vitest watch
      vitest dev
      vitest --watch
      vitest -w
    `,
    useful: `
      vitest run
      vitest run src/a.test.ts
      vitest --run -t "a name"
      vitest run --coverage
      vitest run --reporter=verbose --bail=1
      vitest run src/a.test.ts:12
    `,
  },
  {
    rule: 'tsc',
    runsCode: `
      tsc --plugins ./evil
      tsc --plugins [{"name":"evil"}]
      tsc @evil.txt
      tsc @/tmp/evil.txt
      tsc -p ../other
      tsc -p /tmp/tsconfig.json
      tsc --project=../tsconfig.json
      tsc -p evil.json
      tsc -p evil
      tsc -p evil/tsconfig.json
      tsc -p=evil
      tsc --project evil/tsconfig.json
      tsc -p . -p evil
      tsc -b ../other
      tsc --build /tmp
    `,
    writesOutside: `
      tsc --outDir /tmp
      tsc --outDir=../x
      tsc --OUTDIR /tmp
      tsc -outDir /tmp
      tsc --outFile /tmp/x.js
      tsc -o /tmp/x.js
      tsc --out /tmp/x.js
      tsc --declarationDir ../types
      tsc --tsBuildInfoFile /tmp/x
      tsc --generateTrace /tmp
      tsc --generateCpuProfile ../x
      tsc --sourceRoot /tmp
      tsc --mapRoot /tmp
    `,
    readsOutside: `
      tsc --rootDir /
      tsc --baseUrl /etc
      tsc --rootDirs ../a,../b
      tsc --typeRoots /tmp
      tsc --paths {"a":["/etc"]}
      tsc /etc/passwd
      tsc ../a.ts
      tsc $HOME/a.ts
      tsc file:///etc/x.ts
      tsc -- ../a.ts
    `,
    other: `
      tsc --init
      tsc -w
      tsc --watch
      tsc --clean
      tsc -b --clean
      tsc --locale ../x
      tsc --build evil/tsconfig.json
      tsc -b evil
      tsc -b . evil
    `,
    useful: `
      tsc
      tsc --noEmit
      tsc -p . --noEmit
      tsc -p .
      tsc --noEmit --pretty false
      tsc --noEmit --skipLibCheck src/a.ts
    `,
  },
  {
    rule: 'tsc -b',
    runsCode: `
      tsc -b evil
      tsc -b evil/tsconfig.json
      tsc -b -- evil
      tsc -b ../other
    `,
    writesOutside: `
      tsc -b --outDir /tmp
    `,
    other: `
      tsc -b --clean
      tsc -b -w
    `,
    useful: `
      tsc -b
      tsc -b --verbose --force
      tsc -b --dry
      tsc -b -f
      tsc -b --pretty
    `,
  },
  {
    rule: 'tsc -p packages/a/tsconfig.json',
    runsCode: `
      tsc -p packages/a/tsconfig.json -p evil
      tsc -p packages/b/tsconfig.json
    `,
    useful: `
      tsc -p packages/a/tsconfig.json
      tsc -p packages/a/tsconfig.json --noEmit
      tsc -p packages/a/tsconfig.json --pretty false
      tsc -p packages/a/tsconfig.json --skipLibCheck
      tsc -p packages/a/tsconfig.json --listFiles
    `,
  },
  {
    rule: 'eslint',
    runsCode: `
      eslint -c evil.js .
      eslint --config=evil.js .
      eslint --conf evil.js .
      eslint -cevil.js .
      eslint -c evil.js -o x .
      eslint --plugin evil .
      eslint --parser ./evil.js .
      eslint --parser=evil .
      eslint --rulesdir ./evil .
      eslint --resolve-plugins-relative-to /tmp .
      eslint --format ./evil.js .
      eslint -f evil .
      eslint -f ../evil.js .
      eslint --formatter ./evil.js .
      eslint --flag unstable_config_lookup_from_file .
      eslint --processor evil .
      eslint --no-eslintrc -c evil.json .
      eslint --ignore-pattern '!/etc' .
      eslint /tmp/a.js
      NODE_PATH=/tmp eslint .
    `,
    writesOutside: `
      eslint -o /tmp/x .
      eslint --output-file ../x .
      eslint --output-file=x.js .
      eslint -ox.js .
      eslint --cache-location /tmp/x .
      eslint --cache-file=../x .
      eslint --fix ../other
      eslint --fix ~/project
      eslint --suppressions-location /tmp/x .
      eslint --suppress-all .
    `,
    readsOutside: `
      eslint --ignore-path /etc/passwd .
      eslint --stdin-filename ../x
      eslint --stdin
      eslint ../a.js
      eslint src/../../b
      eslint --env-info
    `,
    network: `
      eslint --init
      eslint --inspect-config
      eslint --mcp
    `,
    useful: `
      eslint .
      eslint src --fix
      eslint --max-warnings 0 src
      eslint --max-warnings=0 --ext .ts,.tsx src
      eslint --quiet -f json src/a.ts
      eslint src/*.ts
    `,
  },
  {
    rule: 'prettier',
    runsCode: `
      prettier --plugin=./evil.js .
      prettier --plugin evil .
      prettier --plugin data:text/javascript,x .
      prettier --plug=./evil.js .
      prettier --plugin-search-dir=/tmp .
      prettier --config evil.js .
      prettier --config=/tmp/evil.mjs .
      prettier --conf ./evil.js .
      prettier --parser ./evil.js a.x
      prettier --parser=/tmp/evil.js a.x
      prettier --config-precedence prefer-file --config x .
      prettier --find-config-path ../a
      prettier --file-info /etc/passwd
      prettier --embedded-language-formatting=evil .
      NODE_OPTIONS=-r./evil.js prettier .
    `,
    writesOutside: `
      prettier --write /etc/hosts
      prettier --write ../other
      prettier -w ~/project
      prettier --write $HOME/x
      prettier --write a/../../b
      prettier --write -- ../b
      prettier --cache-location=/tmp/x .
      prettier --cache --cache-location ../x .
    `,
    readsOutside: `
      prettier /etc/passwd
      prettier ../.env
      prettier ~/.ssh/config
      prettier --ignore-path /etc/passwd .
      prettier --ignore-path=../x .
      prettier --stdin-filepath ../x
      prettier {a,/../../etc/x}
      prettier src/.?/.?/x
    `,
    useful: `
      prettier --check .
      prettier --write src
      prettier -c src/**/*.ts
      prettier --write "src/**/*.{ts,tsx}"
      prettier --parser typescript --check a.ts
      prettier -l src docs/a.md
    `,
  },
  {
    rule: 'stylelint',
    runsCode: `
      stylelint -c evil.js a.css
      stylelint --config=evil.js a.css
      stylelint --conf evil.js a.css
      stylelint --config-basedir /tmp a.css
      stylelint --custom-syntax ./evil.js a.css
      stylelint --custom-syntax=evil a.css
      stylelint --customSyntax ./evil.js a.css
      stylelint --custom-formatter ./evil.js a.css
      stylelint -f ./evil.js a.css
      stylelint --formatter evil a.css
      stylelint --globby-options '{"cwd":"/"}' a.css
      stylelint --syntax ./evil a.css
    `,
    writesOutside: `
      stylelint -o /tmp/x a.css
      stylelint --output-file=../x a.css
      stylelint --cache-location /tmp a.css
      stylelint --fix ../a.css
      stylelint --fix /tmp/a.css
      stylelint --fix ~/a.css
    `,
    readsOutside: `
      stylelint --ignore-path /etc/passwd a.css
      stylelint -i ../x a.css
      stylelint --ignore-pattern ../x a.css
      stylelint --stdin --stdin-filename ../x
      stylelint --print-config ../x
      stylelint /etc/x.css
      stylelint ../a.css
    `,
    useful: `
      stylelint src/a.css
      stylelint --fix src/a.css
      stylelint "src/**/*.css"
      stylelint --max-warnings=0 src/a.css
      stylelint -f json -q src/a.css
    `,
  },
];
