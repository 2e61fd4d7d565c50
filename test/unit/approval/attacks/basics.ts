import type { ProgramTable } from './attackTable.ts';

export const basicsAttacks: readonly ProgramTable[] = [
  {
    rule: 'ls',
    readsOutside: `
      ls /
      ls /etc
      ls -la /etc
      ls ..
      ls ../..
      ls a/../..
      ls ~
      ls ~/.ssh
      ls ~root
      ls $HOME
      ls "$HOME"
      ls -- ..
      ls -- /etc
      ls .*
      ls .?
      ls src/.?/..
      ls a{,/../../x}
      ls {/etc,x}
      ls src/{../..,x}
      ls -I ../x
      ls --hide=/x
      ls --dired
      ls -w 5 /x
      ls C:/Users
      ls src\\\\..\\\\..
      ls //server/share
      ls file:///etc
    `,
    useful: `
      ls
      ls -la
      ls src
      ls -lh --color=never src/a
      ls src/*.ts
      ls -R .
    `,
  },
  {
    rule: 'tail',
    readsOutside: `
      tail /etc/passwd
      tail -n 5 /etc/passwd
      tail -f /var/log/syslog
      tail ../x
      tail ~/x
      tail $HOME/x
      tail -- /etc/passwd
      tail -5 a
      tail src/a
      tail -n5 x
      tail --lines=5 /x
      tail --pid=1
      tail --retry x
      tail -F x
      tail --follow=/x
      tail 5{,/../x}
      tail *
      tail -
      tail -n /etc/passwd
      tail -c +1 /x
      tail </etc/passwd
    `,
    useful: `
      tail
      tail -20
      tail -n 5
      tail -n5
      tail -c 100 -q
      npm test | tail -5
    `,
  },
  {
    rule: 'head',
    readsOutside: `
      head /etc/passwd
      head -n 5 /etc/passwd
      head ../x
      head ~/x
      head $HOME/x
      head -- /etc/passwd
      head -5 a
      head src/a
      head -n5 x
      head --lines=5 /x
      head *
      head -
      head -n /etc/passwd
      head -c 1 /x
      head </etc/passwd
      head 5{,/../x}
      head @x
      head file:///x
      head --zero /x
      head -qn 5 /x
    `,
    useful: `
      head
      head -20
      head -n 5
      head -n5
      head -c100
    `,
  },
  {
    rule: 'wc',
    readsOutside: `
      wc /etc/passwd
      wc -l /etc/passwd
      wc --files0-from=/tmp/x
      wc --files0-from x
      wc --files0-from=-
      wc -l ../x
      wc -l ~/x
      wc $HOME/x
      wc -- /etc/passwd
      wc src/a
      wc -l *
      wc -
      wc </etc/passwd
      wc -lw /x
      wc --total=only /x
      wc --debug
      wc @x
      wc 5
      wc -l a{,/../x}
      wc file:///x
    `,
    useful: `
      wc
      wc -l
      wc -lw
      wc --lines
      wc -c -m
    `,
  },
  {
    rule: 'grep',
    readsOutside: `
      grep root /etc/passwd
      grep -r key ~
      grep -r key ..
      grep -r key /
      grep -R key .
      grep -f /etc/passwd x
      grep --file=/etc/passwd x
      grep -e x /etc/passwd
      grep -ex /etc/passwd
      grep --regexp=x /etc/passwd
      grep x ../y
      grep x -- /etc/passwd
      grep -- x /etc/passwd
      grep x a/../../b
      grep x $HOME/y
      grep x *
      grep --exclude-from=/etc/passwd x
      grep -if /etc/passwd x
      grep -d recurse x /etc
      grep --include=/x -r y
      grep -D read x /dev/tty
      grep x </etc/passwd
      grep /etc/passwd
    `,
    useful: `
      grep error
      grep -i "a b"
      grep -vE "warn|info"
      grep -n -A 3 x
      grep -c failed
    `,
  },
  {
    rule: 'echo',
    writesOutside: `
      echo x >/tmp/x
      echo x >>~/.bashrc
      echo x > a
      echo x >| a
      echo x &>a
      echo x 2>a
      echo x | tee /tmp/x
      echo x | dd of=/tmp/x
    `,
    readsOutside: `
      echo /etc/*
      echo a $HOME
      echo "$SECRET"
      echo ~
      echo ../*
      echo src/../../*
      echo .*
    `,
    runsCode: `
      echo $(x)
      echo \`x\`
      echo x | sh
      echo x; sh
      echo x & sh
      echo <(x)
      echo "rm x" | python check.py
      echo "x" | npm test
    `,
    useful: `
      echo
      echo done
      echo "a; b && c"
      echo "--- done ---" -x
      echo /etc/passwd
      echo src/*
      echo $?
    `,
  },
];
