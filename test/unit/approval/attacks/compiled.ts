import type { ProgramTable } from './attackTable.ts';

export const compiledAttacks: readonly ProgramTable[] = [
  {
    rule: 'cargo test',
    runsCode: `
      cargo test --config target.x86_64-unknown-linux-gnu.runner='./evil'
      cargo test --config=evil.toml
      cargo test --conf evil.toml
      cargo test --manifest-path ../Cargo.toml
      cargo test --manifest-path=/tmp/Cargo.toml
      cargo test --target ./evil.json
      cargo test --target=evil.json
      cargo test -Zunstable-options
      cargo test -Z build-std
      cargo test -C /tmp
      cargo test -p path+file:///tmp/x
      cargo test -p file:///tmp/x
      cargo test --bin ../x
      cargo test -- -Z unstable-options --report-time
      cargo test --profile ../x
      cargo +nightly test
      cargo +/tmp/x test
      cargo test --lockfile-path /tmp/Cargo.lock
      RUSTFLAGS=-Clinker=./evil cargo test
      CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=./evil cargo test
      RUSTC_WRAPPER=./evil cargo test
    `,
    writesOutside: `
      cargo test --target-dir /tmp
      cargo test --target-dir=../x
      cargo test --artifact-dir=/tmp
      cargo test --out-dir ../x
      cargo test -- --logfile /tmp/x
      cargo test -- --logfile=../x
      cargo test --timings=html
      cargo test -- --save-baseline /tmp/x
    `,
    network: `
      cargo test -p https://example.invalid/x
      cargo test --registry evil
      cargo test --index http://localhost
    `,
    useful: `
      cargo test
      cargo test --release
      cargo test -p crate_a module::test_name
      cargo test --workspace --all-features
      cargo test -- --nocapture --test-threads=1
      cargo test --locked -j 4 -- --skip slow
    `,
  },
  {
    rule: 'cargo clippy',
    runsCode: `
      cargo clippy -- -Clinker=./evil
      cargo clippy -- -C linker=./evil
      cargo clippy -- -Zcodegen-backend=./evil.so
      cargo clippy -- -Z x
      cargo clippy -- --sysroot /tmp
      cargo clippy -- -L /tmp
      cargo clippy -- --extern evil=/tmp/x.rlib
      cargo clippy -- @evil.txt
      cargo clippy -- --codegen linker=./evil
      cargo clippy -- -l evil
      cargo clippy --config build.rustc-wrapper='./evil'
      cargo clippy --config=x
      cargo clippy --manifest-path /tmp/Cargo.toml
      cargo clippy -Zunstable-options
      cargo clippy -C ..
      cargo clippy --target evil.json
      CLIPPY_ARGS=x cargo clippy
    `,
    writesOutside: `
      cargo clippy -- -o /tmp/x
      cargo clippy -- --out-dir /tmp
      cargo clippy -- --emit=link=/tmp/x
      cargo clippy -- --emit dep-info=../x
      cargo clippy --target-dir /tmp
      cargo clippy --fix --manifest-path ../x
    `,
    readsOutside: `
      cargo clippy -- /etc/passwd
      cargo clippy ../x
      cargo clippy -- --remap-path-prefix=/=x
    `,
    useful: `
      cargo clippy
      cargo clippy -- -D warnings
      cargo clippy --all-targets -- -Dwarnings -W clippy::pedantic
      cargo clippy --fix --allow-dirty
      cargo clippy -p crate_a --message-format=short
    `,
  },
  {
    rule: 'cargo build',
    runsCode: `
      cargo build --config target.linker='./evil'
      cargo build --config=x.toml
      cargo build --manifest-path ../x/Cargo.toml
      cargo build -Zx
      cargo build -Z x
      cargo build -C /tmp
      cargo build --target ./evil.json
      cargo build -p path+file:///tmp/x
      cargo build -- -Clinker=./evil
      cargo build evil
      cargo build @x
      cargo +nightly build
      cargo run
      cargo rustc -- -Clinker=./evil
      RUSTC=./evil cargo build
      CARGO_HOME=/tmp cargo build
    `,
    writesOutside: `
      cargo build --target-dir=/tmp
      cargo build --artifact-dir ../x
      cargo build --out-dir=/tmp
      cargo build --build-plan --x
      cargo build --timings
    `,
    useful: `
      cargo build
      cargo build --release
      cargo build -p crate_a --features a,b
      cargo build --target x86_64-unknown-linux-musl
      cargo build -vv --locked
    `,
  },
  {
    rule: 'cargo fmt',
    runsCode: `
      cargo fmt --manifest-path /tmp/Cargo.toml
      cargo fmt --manifest-path=../Cargo.toml
      cargo fmt -- --config-path /tmp
      cargo fmt -- --config-path=../x
      cargo fmt -- --config unstable_features=true
      cargo fmt -- --unstable-features
      RUSTFMT=./evil cargo fmt
      cargo +nightly fmt
      cargo fmt --message-format json
    `,
    writesOutside: `
      cargo fmt -- /tmp/x.rs
      cargo fmt -- ../x.rs
      cargo fmt -- ~/x.rs
      cargo fmt -- --emit files
      cargo fmt -- --emit=files ../x
      cargo fmt ../x
      cargo fmt -- --backup
      cargo fmt -- --print-config default /tmp/x
      cargo fmt -- -o /tmp
      cargo fmt -- --file-lines [{"file":"/x"}]
      cargo fmt -p ../x
    `,
    useful: `
      cargo fmt
      cargo fmt --all
      cargo fmt --check
      cargo fmt -- --check
      cargo fmt -p crate_a
    `,
  },
  {
    rule: 'go test',
    runsCode: `
      go test -exec ./evil ./...
      go test -exec=./evil ./...
      go test --exec ./evil ./...
      go test -toolexec ./evil ./...
      go test -vettool=./evil ./...
      go test -vet=all -vettool ./evil
      go test -ldflags=-extld=./evil ./...
      go test -gcflags -x ./...
      go test -asmflags=x ./...
      go test -gccgoflags x ./...
      go test -compiler gccgo ./...
      go test -overlay evil.json ./...
      go test -modfile=evil.mod ./...
      go test -C /tmp ./...
      go test -args -x
      go test ./... -args --evil
      go test ./... -custom=flag
      go test /tmp/evil
      go test ../evil
      go test ./../../evil
      GOFLAGS=-exec=./evil go test ./...
      CC=./evil go test ./...
      go test -mod=mod ./...
    `,
    writesOutside: `
      go test -o /tmp/x ./...
      go test -c -o ../x
      go test -coverprofile=/tmp/x.out
      go test -coverprofile ../x.out
      go test -coverprofile=.envrc
      go test -cpuprofile /tmp/x
      go test -memprofile=../x
      go test -outputdir=/tmp
      go test -trace=/tmp/x
      go test -test.testlogfile=/tmp/x
      go test -blockprofile x
      go test -pkgdir /tmp ./...
      go test -fuzzcachedir=/tmp
    `,
    network: `
      go test example.invalid/x@latest
      go test -modcacherw example.invalid/x@v1
      GOPROXY=http://localhost go test
    `,
    useful: `
      go test ./...
      go test -run TestX ./pkg/a
      go test -v -race -count=1 ./...
      go test -bench=. -benchmem ./pkg
      go test -timeout 30s -short .
      go test -coverprofile=cover.out ./...
    `,
  },
  {
    rule: 'go build',
    runsCode: `
      go build -toolexec ./evil
      go build -toolexec=./evil
      go build --toolexec ./evil
      go build -ldflags -extld=./evil
      go build -ldflags=-linkmode=external
      go build -gcflags=x
      go build -asmflags x
      go build -overlay=evil.json
      go build -modfile evil.mod
      go build -C ..
      go build -compiler=gccgo
      go build -gccgoflags=x
      go build -buildmode=plugin
      go build -pgo=/tmp/x
      CC=./evil go build
      CGO_CFLAGS=-fplugin=./evil.so go build
      go run ./evil
      go generate
    `,
    writesOutside: `
      go build -o /tmp/x
      go build -o=../x
      go build -o x
      go build -pkgdir /tmp
      go build -installsuffix ../x
    `,
    network: `
      go build example.invalid/x@latest
      go build -mod=mod
      go build https://example.invalid/x
    `,
    useful: `
      go build
      go build ./...
      go build ./cmd/app
      go build -v -race ./...
      go build -tags integration ./...
    `,
  },
  {
    rule: 'go vet',
    runsCode: `
      go vet -vettool ./evil
      go vet -vettool=./evil ./...
      go vet --vettool=./evil ./...
      go vet -toolexec=./evil ./...
      go vet -overlay evil.json
      go vet -modfile=evil.mod
      go vet -C /tmp
      go vet -exec ./evil
      go vet -ldflags=x
      go vet -gcflags=x
      go vet /tmp/x
      go vet ../x
      go vet ~/x
      go vet -mod=mod
      GOFLAGS=-vettool=./evil go vet
      GOFLAGS=-toolexec=./evil go vet ./...
      go vet -compiler=gccgo
      go vet example.invalid/x@v1
      go vet -pkgdir=/tmp
      go vet -asmflags=x
    `,
    useful: `
      go vet
      go vet ./...
      go vet ./pkg/a
      go vet -tags integration ./...
      go vet -json .
    `,
  },
];
