import type { Command } from 'commander';
import { TABLE_EXAMPLES } from './table-examples.ts';

/** Examples of each command, by its words. Each is a whole command line without `bursar`. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan payroll.csv', 'plan payroll.csv --online --accept FIRST_TIME_PAYEE'],
  submit: [
    'submit payroll.csv',
    'submit payroll.csv --confirm 132408.2:USDT_TRC20 --detach',
    'submit --plan runs/payroll-2026-11/plan.json',
  ],
  template: ['template > payroll.csv', 'template --xlsx --out payroll.xlsx'],
  resend: ['resend payroll-2026-11 --dry-run', 'resend payroll-2026-11'],
  recover: ['recover --dry-run', 'recover payroll-2026-11'],
  status: ['status payroll-2026-11', 'status payroll-2026-11 -o json'],
  watch: ['watch payroll-2026-11', 'watch payroll-2026-11 --timeout 2h'],
  list: ['list', 'list --state PAYING,SETTLING --limit 10'],
  rows: ['rows payroll-2026-11', 'rows payroll-2026-11 --outcome FAILED,UNKNOWN'],
  explain: ['explain payroll-2026-11 17'],
  find: ['find E-1042', 'find TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34'],
  report: [
    'report payroll-2026-11',
    'report payroll-2026-11 --refresh --out books/november',
    'report payroll-2026-11 --out books/november --xlsx',
  ],
  funds: ['funds', 'funds --ahead 90d'],
  reconcile: ['reconcile payroll-2026-11', 'reconcile payroll-2026-11 --save'],
  cancel: ["cancel payroll-2026-11 --reason 'wrong month'"],
  pause: ["pause payroll-2026-11 --reason 'a row looks wrong'"],
  resume: ["resume payroll-2026-11 --reason 'checked with HR'"],
  resolve: [
    "resolve payroll-2026-11 3 adopt 0b6a7c52-6f0e-4f0e-9f0b-1d2c3b4a5968 --reason 'seen in the portal'",
    "resolve payroll-2026-11 3 not-created --attempts 1 --reason 'not in the portal'",
  ],
  inbox: ['inbox', 'inbox --for bob'],
  approve: ['approve payroll-2026-11 --key bursar-bob.key'],
  refuse: ["refuse payroll-2026-11 --key bursar-bob.key --reason 'not our supplier'"],
  'keys new': ['keys new bob'],
  'keys show': ['keys show bursar-bob.key'],
  'keys ring': ['keys ring --file .bursar/key-ring', 'keys ring --rotate'],
  audit: ['audit payroll-2026-11', 'audit --all'],
  verify: ['verify payroll-2026-11', 'verify payroll-2026-11 --archive archives'],
  'payees list': ['payees list', 'payees list --search supplier'],
  'payees show': ['payees show TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34'],
  'payees import': ['payees import suppliers.csv'],
  'payees export': ['payees export > suppliers.csv'],
  'payees allow': [
    "payees allow TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 --reason 'contract of 2026-11-02'",
  ],
  'payees deny': ["payees deny TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 --reason 'address was changed'"],
  'payees name': ["payees name TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 'Acme Ltd'"],
  'payees email': ['payees email TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 books@acme.example'],
  'payees label': ['payees label TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34 supplier monthly'],
  doctor: ['doctor', 'doctor --send-test'],
  probe: ['probe', 'probe --write --dry-run'],
  'support-bundle': ['support-bundle payroll-2026-11 > bundle.json'],
  'store migrate': ['store migrate'],
  'store check': ['store check'],
  'store backup': ['store backup backups/2026-11-28.db'],
  'store restore': ['store restore backups/2026-11-28.db'],
  archive: [
    'archive payroll-2026-11 --out archives',
    'archive payroll-2026-11 --out s3://books/2026',
  ],
  prune: ['prune --older-than 400d', 'prune --older-than 400d --yes'],
  forget: ['forget TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34'],
  'webhooks ensure': ['webhooks ensure --dry-run', 'webhooks ensure'],
  'webhooks status': ['webhooks status'],
  'ui views': ['ui views'],
  'schedule create': [
    "schedule create rent --calendar 'monthly 1 09:00' --timezone Europe/Berlin --file 'rent-{yyyy}-{MM}.csv'",
  ],
  'schedule preview': [
    'schedule preview rent',
    "schedule preview --cron '0 9 L * *' --timezone Europe/Berlin --count 3",
  ],
  'schedule list': ['schedule list'],
  'schedule show': ['schedule show rent'],
  'schedule pause': ["schedule pause rent --note 'moved to another office'"],
  'schedule resume': ['schedule resume rent'],
  'schedule delete': ['schedule delete rent'],
  'schedule trigger': ["schedule trigger rent --run 2026-12-01T09:00 --reason 'file came late'"],
  'schedule backfill': [
    "schedule backfill rent --from 2026-11-01 --to 2026-11-03 --reason 'engine was down'",
  ],
  up: ['up', 'up --free-ports'],
  demo: ['demo', 'demo --keep'],
  drill: ['drill payroll.csv', 'drill payroll.csv --faults lost-answer,lost-webhooks'],
  env: ['env', 'env -o json'],
  init: [
    'init',
    'init --url https://pay.example --account 0xb0b0000000000000000000000000000000000001',
  ],
  whoami: ['whoami', 'whoami --check'],
  'config show': ['config show --origin', 'config show api --origin'],
  completion: ['completion bash', 'completion zsh'],
  serve: ['serve'],
  'token create': ['token create payroll-backend --role submit --expires 90d'],
  'token list': ['token list'],
  'token revoke': ['token revoke payroll-backend'],
  help: ['help submit', 'help exit-codes'],
  ...TABLE_EXAMPLES,
};

/** Ends the help of a command with its examples. Hidden commands and groups have none. */
export const exampleText = (words: string): string => {
  const examples = EXAMPLES[words] ?? [];
  return examples.length === 0
    ? ''
    : ['', 'Examples:', ...examples.map((line) => `  bursar ${line}`)].join('\n');
};

/** The words of a command after `bursar`, such as `keys new`. */
export function wordsOf(command: Command): string {
  const words: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) words.unshift(one.name());
  return words.join(' ');
}
