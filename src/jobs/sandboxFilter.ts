// The system calls that no confined command may make, as a program for the kernel (seccomp, classic BPF). Mounts, processes and the
// network have namespaces of their own; this closes what has none: the kernel's key rings, sockets to the machine's host, new user
// namespaces, programs that run as their owner, and interfaces of the kernel that a command of a developer has no use for.

interface Machine {
  /** AUDIT_ARCH_… */
  readonly audit: number;
  readonly clone: number;
  readonly unshare: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly refused: readonly number[];
  /** Calls that give a file its mode: the number, the place of the mode, and of flags that say whether it counts. */
  readonly modes: readonly (readonly [call: number, mode: number, flags?: number])[];
}

/** The same numbers on every machine. */
const clone3 = 435;
const openat2 = 437;
const fchmodat2 = 452;
const newest = [
  ...[425, 426, 427], // io_uring_setup, io_uring_enter, io_uring_register
  ...[428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  438, // pidfd_getfd
];

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    unshare: 272,
    socket: 41,
    ioctl: 16,
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [fchmodat2, 2],
      [85, 1],
      [133, 1],
      [259, 2],
      [2, 2, 1],
      [257, 3, 2],
    ],
    refused: [
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[165, 166, 155, 161, 308], // mount, umount2, pivot_root, chroot, setns
      ...[321, 298, 323, 304], // bpf, perf_event_open, userfaultfd, open_by_handle_at
      ...[246, 320, 175, 313, 176, 169, 167, 168, 172, 173, 103], // kexec, modules, reboot, swap, ports, syslog
      ...newest,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    unshare: 97,
    socket: 198,
    ioctl: 29,
    modes: [
      [52, 1],
      [53, 2],
      [fchmodat2, 2],
      [33, 2],
      [56, 3, 2],
    ],
    refused: [
      ...[217, 218, 219], // add_key, request_key, keyctl
      ...[40, 39, 41, 51, 268], // mount, umount2, pivot_root, chroot, setns
      ...[280, 241, 282, 265], // bpf, perf_event_open, userfaultfd, open_by_handle_at
      ...[104, 294, 105, 273, 106, 142, 224, 225, 116], // kexec, modules, reboot, swap, syslog
      ...newest,
    ],
  },
};

const loadWord = 0x20;
const jumpEqual = 0x15;
const jumpGreaterOrEqual = 0x35;
const jumpBitsSet = 0x45;
const giveBack = 0x06;
const allow = 0x7fff0000;
const refuse = 0x00050000;
const eperm = 1;
const enosys = 38;
const eafnosupport = 97;
const numberAt = 0;
const machineAt = 4;
/** Of the lower half of an argument. */
const argumentAt = (index: number): number => 16 + 8 * index;
const newUserNamespace = 0x10000000;
/** Lets whoever runs the file, outside, be its owner. */
const setUserId = 0o4000;
/** O_CREAT, O_TMPFILE. */
const makesFile = 0x40 | 0x400000;
/** Puts characters into the input of a terminal; and the console's copy of it. */
const terminalInput = [0x5412, 0x541c];
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const families = [1, 2, 10, 16];
/** From here on an x86-64 call is one of the x32 kind, which would have other numbers. */
const x32Bit = 0x40000000;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

/** The filter for a machine (`process.arch`), as the kernel takes it; undefined where none is known. */
export function sandboxFilter(arch: string = process.arch): Uint8Array | undefined {
  const machine = machines[arch];
  return machine && encode(instructions(machine));
}

function instructions({ audit, clone, unshare, socket, ioctl, refused, modes }: Machine): readonly Instruction[] {
  const answer = (errno: number): Instruction => [giveBack, 0, 0, refuse | errno];
  const pass: Instruction = [giveBack, 0, 0, allow];
  const number: Instruction = [loadWord, 0, 0, numberAt];
  return [
    // A program of another kind of machine (32 bit) has other numbers: none of its calls is answered.
    [loadWord, 0, 0, machineAt],
    [jumpEqual, 1, 0, audit],
    answer(enosys),
    number,
    [jumpGreaterOrEqual, 0, 1, x32Bit],
    answer(enosys),
    // What they are asked for is behind a pointer, out of reach here: programs fall back to what they took before.
    ...[clone3, openat2].flatMap((call): readonly Instruction[] => [[jumpEqual, 0, 1, call], answer(enosys)]),
    ...refused.flatMap((call): readonly Instruction[] => [[jumpEqual, 0, 1, call], answer(eperm)]),
    ...[clone, unshare].flatMap((call): readonly Instruction[] => [
      [jumpEqual, 0, 4, call],
      [loadWord, 0, 0, argumentAt(0)],
      [jumpBitsSet, 0, 1, newUserNamespace],
      answer(eperm),
      pass,
    ]),
    ...modes.flatMap(([call, mode, flags]): readonly Instruction[] => [
      [jumpEqual, 0, flags === undefined ? 4 : 6, call],
      ...(flags === undefined
        ? []
        : ([
            [loadWord, 0, 0, argumentAt(flags)],
            [jumpBitsSet, 0, 3, makesFile],
          ] as const)),
      [loadWord, 0, 0, argumentAt(mode)],
      [jumpBitsSet, 0, 1, setUserId],
      answer(eperm),
      pass,
    ]),
    [jumpEqual, 0, 3 + terminalInput.length, ioctl],
    [loadWord, 0, 0, argumentAt(1)],
    ...terminalInput.map((request, index): Instruction => [jumpEqual, terminalInput.length - index, 0, request]),
    pass,
    answer(eperm),
    [jumpEqual, 0, 2 + families.length, socket],
    [loadWord, 0, 0, argumentAt(0)],
    ...families.map((family, index): Instruction => [jumpEqual, families.length - index, 0, family]),
    answer(eafnosupport),
    pass,
  ];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jumpTrue);
    bytes.setUint8(index * 8 + 3, jumpFalse);
    bytes.setUint32(index * 8 + 4, value >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}
