// The job of the offline demo: five steps, the calls each is made of, and the files they leave. It fits a line to a few
// points, slowly enough to be stopped. Plain data; it must never know about conversations or streams.

export const demoFolder = 'ratchet-demo';

export type DemoPlatform = 'posix' | 'windows';

/** What earlier steps printed, for the report. */
export interface DemoFindings {
  readonly trained: string;
  readonly evaluated: string;
}

export interface DemoCall {
  /** Names the call for good; letters, digits and dashes. */
  readonly key: string;
  readonly tool: 'write' | 'run_command';
  readonly input: (platform: DemoPlatform, findings: DemoFindings) => Readonly<Record<string, unknown>>;
  /** The file it leaves. When that is gone the call is made again. */
  readonly leaves?: string;
}

export interface DemoStep {
  readonly title: string;
  readonly says: string;
  readonly calls: readonly DemoCall[];
}

export const trainedMark = 'training finished:';
export const evaluatedMark = 'evaluation finished:';

const pointCount = 24;
const dataFile = `${demoFolder}/data.csv`;
const modelFile = `${demoFolder}/model.txt`;
const reportFile = `${demoFolder}/report.md`;
const scriptFile: Readonly<Record<DemoPlatform, string>> = {
  posix: `${demoFolder}/job.sh`,
  windows: `${demoFolder}/job.ps1`,
};

const runs = (key: string, mode: string, leaves?: string): DemoCall => ({
  key,
  tool: 'run_command',
  input: (platform) => ({
    command:
      platform === 'windows'
        ? `powershell -NoProfile -ExecutionPolicy Bypass -File ${scriptFile.windows} ${mode}`
        : `sh ${scriptFile.posix} ${mode}`,
  }),
  ...(leaves !== undefined && { leaves }),
});

export const demoSteps: readonly DemoStep[] = [
  {
    title: 'Write the data and the job',
    says: `I write ${String(pointCount)} points and a small job that fits a line to them.`,
    calls: [
      {
        key: 'data',
        tool: 'write',
        input: () => ({ file_path: dataFile, content: dataText() }),
        leaves: dataFile,
      },
      {
        key: 'job',
        tool: 'write',
        input: (platform) => ({
          file_path: scriptFile[platform],
          content: platform === 'windows' ? windowsScript : posixScript,
        }),
      },
    ],
  },
  {
    title: 'Check the data',
    says: 'Before anything is trained, the data is checked.',
    calls: [runs('check', 'check')],
  },
  {
    title: 'Train for 20 seconds',
    says: 'Now the training: 20 passes, one a second. This is the moment to stop it, or to reload the window.',
    calls: [runs('train', 'train', modelFile)],
  },
  {
    title: 'Evaluate the result',
    says: 'The line is there. I measure how far it is from the points.',
    calls: [runs('evaluate', 'evaluate')],
  },
  {
    title: 'Write the report',
    says: 'Last, the report.',
    calls: [
      {
        key: 'report',
        tool: 'write',
        input: (_platform, findings) => ({ file_path: reportFile, content: reportText(findings) }),
        leaves: reportFile,
      },
    ],
  },
];

/** Points near y = 2x + 1, the same on every machine. */
function dataText(): string {
  const rows = Array.from({ length: pointCount }, (_, i) => {
    const x = (i - 12) / 10;
    const noise = (((i * 37) % 11) - 5) / 50;
    return `${x.toFixed(1)},${(2 * x + 1 + noise).toFixed(2)}`;
  });
  return `x,y\n${rows.join('\n')}\n`;
}

function reportText({ trained, evaluated }: DemoFindings): string {
  return `# Demo report

- Data: ${String(pointCount)} points in \`${dataFile}\`
- Training: ${trained}
- Evaluation: ${evaluated}

Made by the script of the offline demo of Ratchet. The folder \`${demoFolder}\` can be deleted.
`;
}

const posixScript = `#!/bin/sh
# Fits y = w * x + b to data.csv. Modes: check, train, evaluate.
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")" || exit 1
case "$1" in
check)
  awk -F, 'NR > 1 { if (NF != 2 || $1 + 0 != $1 || $2 + 0 != $2) { bad++ } n++ }
    END { if (bad || !n) { print "data is damaged"; exit 1 } print "data ok: " n " rows" }' data.csv
  ;;
train)
  w=0
  b=0
  epoch=0
  while [ "$epoch" -lt 20 ]; do
    epoch=$((epoch + 1))
    set -- $(awk -F, -v w="$w" -v b="$b" 'NR > 1 { e = w * $1 + b - $2; gw += e * $1; gb += e; l += e * e; n++ }
      END { printf "%.6f %.6f %.6f", w - 0.6 * gw / n, b - 0.6 * gb / n, l / n }' data.csv)
    w=$1
    b=$2
    echo "epoch $epoch/20: loss $3"
    sleep 1
  done
  echo "$w $b" > model.txt
  echo "${trainedMark} y = $w * x + $b"
  ;;
evaluate)
  [ -f model.txt ] || { echo "model.txt is missing: train first"; exit 1; }
  awk -F, -v model="$(cat model.txt)" 'BEGIN { split(model, m, " ") }
    NR > 1 { e = m[1] * $1 + m[2] - $2; if (e < 0) e = -e; sum += e; n++ }
    END { printf "${evaluatedMark} mean error %.4f over %d points\\n", sum / n, n }' data.csv
  ;;
*)
  echo "usage: job.sh check|train|evaluate"
  exit 2
  ;;
esac
`;

const windowsScript = `# Fits y = w * x + b to data.csv. Modes: check, train, evaluate.
param([string]$mode)
$ErrorActionPreference = 'Stop'
[System.Threading.Thread]::CurrentThread.CurrentCulture = [System.Globalization.CultureInfo]::InvariantCulture
Set-Location -LiteralPath $PSScriptRoot
$points = @(Import-Csv data.csv | ForEach-Object { [pscustomobject]@{ x = [double]$_.x; y = [double]$_.y } })
switch ($mode) {
  'check' { 'data ok: {0} rows' -f $points.Count }
  'train' {
    $w = 0.0
    $b = 0.0
    foreach ($epoch in 1..20) {
      $gw = 0.0
      $gb = 0.0
      $loss = 0.0
      foreach ($p in $points) {
        $e = $w * $p.x + $b - $p.y
        $gw += $e * $p.x
        $gb += $e
        $loss += $e * $e
      }
      $w -= 0.6 * $gw / $points.Count
      $b -= 0.6 * $gb / $points.Count
      'epoch {0}/20: loss {1:F6}' -f $epoch, ($loss / $points.Count)
      Start-Sleep -Seconds 1
    }
    Set-Content -Encoding ascii model.txt ('{0:F6} {1:F6}' -f $w, $b)
    '${trainedMark} y = {0:F6} * x + {1:F6}' -f $w, $b
  }
  'evaluate' {
    if (-not (Test-Path model.txt)) { 'model.txt is missing: train first'; exit 1 }
    $m = (Get-Content model.txt).Split(' ')
    $sum = 0.0
    foreach ($p in $points) { $sum += [math]::Abs([double]$m[0] * $p.x + [double]$m[1] - $p.y) }
    '${evaluatedMark} mean error {0:F4} over {1} points' -f ($sum / $points.Count), $points.Count
  }
  default { 'usage: job.ps1 check|train|evaluate'; exit 2 }
}
`;
