import type { ProgramTable } from './attackTable.ts';

export const gitAttacks: readonly ProgramTable[] = [
  {
    rule: 'git diff',
    runsCode: `
      git diff --ext-diff
      git diff --ext
      git diff --textconv
      git -c diff.external=./evil diff
      git -c core.pager=./evil diff
      git --exec-path=/tmp diff
      git --config-env=x=y diff
      git -p diff
      git diff -O/tmp/x
      git diff -O orderfile
      GIT_EXTERNAL_DIFF=./evil git diff
      GIT_PAGER=./evil git diff
      git difftool -x ./evil
      git mergetool
    `,
    writesOutside: `
      git diff --output=/tmp/x
      git diff --output /tmp/x
      git diff --outp=/tmp/x
      git diff --output=x
      git -C /tmp diff
      git --git-dir=/tmp diff
      git --work-tree=/ diff
    `,
    readsOutside: `
      git diff /dev/null ~/.ssh/id_rsa
      git diff /dev/null /etc/passwd
      git diff --no-index a /etc/passwd
      git diff --no-index a b
      git diff --no-ind a b
      git diff -- /etc/passwd
      git diff -- ../../x
      git diff a ../../b
      git diff HEAD -- ~/x
      git diff $HOME/x
      git diff --src-prefix=/etc/ a
      git diff --ignore-matching-lines -I
      git diff -Sx /etc/passwd
      git diff @{/etc/x}
      git diff :/x
    `,
    useful: `
      git diff
      git diff --stat
      git diff HEAD~2 -- src/a.ts
      git diff --cached --name-only
      git diff main...HEAD
      git diff -U5 --word-diff=color a.ts
    `,
  },
  {
    rule: 'git log',
    runsCode: `
      git log --ext-diff
      git log --ext-d
      git log --textconv -p
      git log --show-signature
      git -c gpg.program=./evil log
      git -c core.fsmonitor=./evil log
      git log -O evil
      GIT_SSH_COMMAND=./evil git log
      git log --exec=./evil
    `,
    writesOutside: `
      git log --output=/tmp/x
      git log --output x
      git log -p --outpu=/tmp/x
      git log --output-directory=/tmp
      git log --output-indicator-new=x
      git -C .. log
    `,
    readsOutside: `
      git log -L:f:/etc/passwd
      git log -L 1,2:../x
      git log --no-index
      git log --stdin
      git log --since /etc/x
      git log -- /etc
      git log -- ../..
      git log ~/x
      git log --mailmap --config-env=a=b
      git log --pathspec-from-file=/tmp/x
      git log --git-dir=/tmp
      git log --ignore-revs-file=/tmp/x
      git log --contents x
    `,
    useful: `
      git log --oneline -n 5
      git log -5
      git log --stat -- src
      git log --since="2 weeks ago" --author=me
      git log --format=%h main..HEAD
      git log -S needle --oneline
    `,
  },
  {
    rule: 'git show',
    runsCode: `
      git show --ext-diff
      git show --textconv HEAD:a
      git show --show-signature
      git -c diff.x.textconv=./evil show
      git -c core.pager=./evil show
      git show -O x
      git show --exec=./x
      GIT_EXTERNAL_DIFF=./evil git show
      git show --ext HEAD
    `,
    writesOutside: `
      git show --output=/tmp/x
      git show --outp x
      git show HEAD --output=../x
      git -C /tmp show
      git --git-dir /tmp show
    `,
    readsOutside: `
      git show HEAD:../../x
      git show HEAD:/etc/passwd
      git show -- /etc/passwd
      git show ../x
      git show ~/x
      git show :/x
      git show --no-index a b
      git show --stdin
    `,
    useful: `
      git show
      git show HEAD
      git show HEAD:src/a.ts
      git show --stat abc123
      git show HEAD~1 --name-only
    `,
  },
  {
    rule: 'git status',
    runsCode: `
      git -c core.fsmonitor=./evil status
      git -c core.hooksPath=/tmp status
      git --exec-path=./evil status
      GIT_CONFIG_COUNT=1 git status
      GIT_DIR=/tmp git status
      git status --config x
      git status --exec=./x
      git status --ext-diff
      git stash
      git status -c x
    `,
    readsOutside: `
      git -C /tmp status
      git --work-tree=/ status
      git --git-dir=/tmp status
      git status /etc
      git status ../..
      git status ~/x
      git status -- ../x
      git status --pathspec-from-file=/tmp/x
      git status --pathspec-from-file x
      git status :/
      git status --output=/tmp/x
    `,
    useful: `
      git status
      git status --short
      git status -sb
      git status --porcelain=v2 -uno
      git status src
    `,
  },
  {
    rule: 'git add',
    runsCode: `
      git add -e
      git add --edit
      git add -i
      git add --interactive
      git add -p
      git add --patch
      git -c filter.x.clean=./evil add a
      git -c core.fsmonitor=./evil add .
      GIT_INDEX_FILE=/tmp/x git add .
    `,
    writesOutside: `
      git -C /tmp add .
      git --git-dir=/tmp add .
      git add --chmod=+x a
      git add --renormalize .
      git add ../x
      git add :/
      git add ':(top)x'
    `,
    readsOutside: `
      git add /etc/passwd
      git add ~/x
      git add -- ../x
      git add --pathspec-from-file=/tmp/x
      git add --pathspec-from-file=-
      git add -f .env
      git add --force .env
      git add --sparse x
      git add $HOME/x
    `,
    useful: `
      git add .
      git add -A
      git add src/a.ts src/b.ts
      git add -u
      git add -- src
    `,
  },
  {
    rule: 'git blame',
    runsCode: `
      git -c blame.ignoreRevsFile=/x blame a
      git -c core.pager=./evil blame a
      git blame --textconv a
      git blame --ext-diff a
      git blame --exec=./evil a
      GIT_PAGER=./x git blame a
    `,
    readsOutside: `
      git blame --contents /etc/passwd a
      git blame --contents=../x a
      git blame --cont=/etc/passwd a
      git blame -S /tmp/x a
      git blame --ignore-revs-file /tmp/x a
      git blame --ignore-revs-file=x a
      git blame -L :f:/etc a
      git blame -L/etc/ a
      git blame /etc/passwd
      git blame ../x
      git blame ~/x
      git blame -- ../x
      git -C /tmp blame a
      git blame --output=/tmp/x a
    `,
    useful: `
      git blame src/a.ts
      git blame -L 1,20 src/a.ts
      git blame -w HEAD -- src/a.ts
      git blame -L10,+5 a.ts
      git blame --porcelain a.ts
    `,
  },
  {
    rule: 'git ls-files',
    readsOutside: `
      git ls-files -X /etc/passwd
      git ls-files --exclude-from=/etc/passwd
      git ls-files --exclude-per-directory=../x
      git ls-files --with-tree=x
      git ls-files /etc
      git ls-files ../..
      git ls-files ~/x
      git ls-files -- ../x
      git ls-files :/
      git -C /tmp ls-files
      git --git-dir=/tmp ls-files
      git ls-files --format=%(x) /etc
      git ls-files --pathspec-from-file=x
      git ls-files --recurse-submodules ../x
      git ls-files $HOME
      git ls-files --output=/tmp/x
    `,
    runsCode: `
      git -c core.fsmonitor=./evil ls-files
      git --exec-path=./evil ls-files
      GIT_DIR=x git ls-files
      git ls-files --exec=./x
    `,
    useful: `
      git ls-files
      git ls-files src
      git ls-files -o --exclude-standard
      git ls-files --others --modified
      git ls-files -- docs
    `,
  },
  {
    rule: 'git rev-parse',
    readsOutside: `
      git rev-parse --resolve-git-dir /tmp
      git rev-parse --git-path ../x
      git rev-parse --parseopt
      git rev-parse --sq-quote x
      git rev-parse --prefix ../x
      git rev-parse /etc/passwd
      git rev-parse ../x
      git rev-parse ~/x
      git rev-parse -- ../x
      git -C /tmp rev-parse HEAD
      git --git-dir=/tmp rev-parse HEAD
      git rev-parse :/x
      git rev-parse --disambiguate=x
      git rev-parse --glob=/x
      git rev-parse --path-format=absolute --git-path x
      git rev-parse --output=x
    `,
    runsCode: `
      git -c core.pager=./x rev-parse
      git --exec-path=x rev-parse
      GIT_DIR=/tmp git rev-parse
      git rev-parse --exec=./x
    `,
    useful: `
      git rev-parse HEAD
      git rev-parse --show-toplevel
      git rev-parse --abbrev-ref HEAD
      git rev-parse --short HEAD
      git rev-parse --verify main
    `,
  },
  {
    rule: 'git describe',
    readsOutside: `
      git describe --output=/tmp/x
      git describe /etc
      git describe ../x
      git describe ~/x
      git describe --match ../x
      git -C /tmp describe
      git --git-dir=/tmp describe
      git describe -- /x
      git describe :/x
      git describe --debug
    `,
    runsCode: `
      git -c a=b describe
      git --exec-path=x describe
      GIT_DIR=/tmp git describe
      git describe --exec=x
      git describe --dirty='$(x)'
      git describe --config x
      git describe -c x
      git describe --textconv
      git describe --ext-diff
      GIT_PAGER=x git describe
    `,
    useful: `
      git describe
      git describe --tags --always
      git describe --tags --dirty
      git describe --abbrev=7 HEAD
      git describe --match "v*"
    `,
  },
  {
    rule: 'git shortlog',
    writesOutside: `
      git shortlog --output=/tmp/x
      git shortlog --outp=x
      git shortlog --output x
      git -C /tmp shortlog
    `,
    readsOutside: `
      git shortlog /etc
      git shortlog ../x
      git shortlog ~/x
      git shortlog -- /etc
      git shortlog -- ../x
      git --git-dir=/tmp shortlog
      git shortlog --stdin
      git shortlog --since /etc/x
      git shortlog :/x
    `,
    runsCode: `
      git -c a=b shortlog
      git --exec-path=x shortlog
      GIT_DIR=/tmp git shortlog
      git shortlog --exec=x
      git shortlog --ext-diff
      git shortlog --textconv
      git shortlog --config x
    `,
    useful: `
      git shortlog
      git shortlog -sn
      git shortlog -s -n HEAD
      git shortlog --no-merges main..HEAD
      git shortlog --since=yesterday -e
    `,
  },
];
