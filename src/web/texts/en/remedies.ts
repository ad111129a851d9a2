/**
 * Sentences of errors for a page, by code: the server's own name commands or flags of the command line there. `what`, `why`
 * and `fix` stand in the places of the server's.
 */
export const EN_REMEDIES = {
  remedies: {
    CURRENCY_MISSING: {
      why: 'Neither its currency cell nor a choice on this page says which currency to pay.',
      fix: 'Fill the currency column (for example USDT_TRC20), or choose the currency of such rows on this page.',
    },
    AMOUNT_HAS_POINT: {
      what: 'The amount has a point, and the comma was chosen to divide the decimals.',
    },
    AMOUNT_NOT_DECIMAL: {
      fix: 'Write digits with at most one decimal point, for example 1000.5. Where all amounts have a decimal comma, say so on this page.',
    },
    FILE_ROWS_REFUSED: {
      fix: 'Download the file with its errors, correct it and choose it again; or leave the wrong rows out.',
    },
    FINDINGS_NOT_ACCEPTED: { fix: 'Look at each note, confirm it, and update the plan.' },
    FINDINGS_BLOCK: {
      fix: 'Correct the file. If the rule is wrong, your operator can change it.',
    },
    SHEET_NOT_CHOSEN: { fix: 'Choose the sheet on this page.' },
    SHEET_NOT_FOUND: { fix: 'Choose one of the sheets on this page.' },
    SHEET_OF_NO_WORKBOOK: { fix: 'Choose the file again, or choose the workbook.' },
    BATCH_ID_INVALID: { fix: 'Give it another name, or leave the name empty.' },
    BATCH_ID_TAKEN: { fix: 'Give it another name, or leave the name empty.' },
    SAME_FILE_AGAIN: {
      fix: 'Look at the earlier batch. If a second payment is meant, confirm this note and give the batch another name.',
    },
    AT_AND_EXECUTION_DATE: {
      what: 'Two times were chosen.',
      fix: 'Keep one of them.',
    },
    CONFIRMATION_WRONG: { fix: 'Check the plan, then type its totals again.' },
    CONFIRMATION_MISSING: {
      why: 'The totals were not typed.',
      fix: 'Check the plan, then type its totals.',
    },
    PLAN_CHANGED: { fix: 'Update the plan, compare it with the old one, and pay the new one.' },
    BATCH_HAS_OTHER_PLAN: {
      fix: 'Look at that batch. If this plan is to be paid too, give it another name.',
    },
    FUNDS_TOO_LOW: {
      fix: 'Top up the account (the page "Money" shows who holds what), or cancel what no longer has to be paid. Then submit the file under another name.',
    },
    DAY_LIMIT_PASSED: {
      fix: 'Choose another day, or have the limit raised for batches that are planned from then on.',
    },
    BALANCE_DIFFERS: {
      fix: 'Find out where the money went: your operator can compare the wallet with the payments. The batch goes on by itself when a later look at the balance explains it, or when a person resumes it.',
    },
    SUBMIT_UNSIGNED: { fix: 'Sign with your passkey. Your operator adds it to the settings.' },
    APPROVAL_UNSIGNED: { fix: 'Sign with your passkey. Your operator adds it to the settings.' },
    ANSWER_UNSIGNED: { fix: 'Sign with your passkey. Your operator adds it to the settings.' },
    APPROVAL_FORGED: {
      fix: 'Sign with your own passkey, or have the settings name your new one for plans to come.',
    },
    APPROVAL_NOT_NEEDED: { fix: 'Load the page again: it shows what the batch waits for.' },
    APPROVAL_FOR_ANOTHER: { fix: 'Load the page again, look at the batch as it is now, and sign.' },
    APPROVAL_TOO_LONG: { fix: 'Load the page again, and sign once more.' },
    APPROVAL_REPEATED: { fix: 'Another person has to approve: the page "To do" says who may.' },
    APPROVAL_BY_SUBMITTER: {
      fix: 'Have another person approve it. You may cancel your own batch.',
    },
    APPROVER_UNKNOWN: {
      fix: 'Have one of them approve. Your operator can add a person for plans to come.',
    },
    APPROVER_NOT_ENTITLED: { fix: 'Have one of them approve: the page "To do" says who may.' },
    APPROVALS_MISSING: { fix: 'Submit the file under another name, and have it approved again.' },
    HOLD_APPROVALS_MISSING: { fix: 'Have those approve whom the page "To do" names.' },
    REFUSED_BY_APPROVER: {
      fix: 'Talk to them. To pay the rows after all, submit the file under another name.',
    },
    REFUSAL_UNPROVEN: {
      fix: 'Your operator should see who has access to the running batches. To pay the rows, submit the file under another name.',
    },
    BATCH_NOT_FOUND: { fix: 'The page "Batches" has all of them.' },
    BATCH_PRUNED: {
      what: 'The rows of this batch were removed after their time.',
      fix: 'The rows are in your own copy of the file.',
    },
    BATCH_OPEN: { fix: 'Wait for its end. The page follows it by itself.' },
    BATCH_ENDED: { fix: 'Read its report on the page of the batch.' },
    BATCH_STOPPED: { fix: 'Wait for its end. What was not sent can be paid again then.' },
    ALREADY_PAUSED: { fix: 'It goes on when a person resumes it.' },
    NOTHING_TO_PAUSE: { fix: 'Follow it on its page.' },
    NOT_HELD: { fix: 'Load the page again: nothing stops it now.' },
    HOLD_NOT_OPEN: { fix: 'Load the page again: it shows what stops the batch now.' },
    HOLD_UNCLEAR: { fix: 'Resume them one by one on the page of the batch.' },
    HOLD_NEEDS_APPROVAL: { fix: 'Let them approve it, or cancel the batch.' },
    RESUME_BEFORE_PLAN: { fix: 'Wait until the batch is planned, then resume it.' },
    CHUNK_NOT_WAITING: {
      fix: 'Load the page again: it names the requests that wait for an answer.',
    },
    ANSWER_IMPOSSIBLE: {
      fix: 'Look at it in the own pages of the service, then answer that it is there, or that nothing was paid.',
    },
    CHUNK_SENT_SINCE: {
      fix: 'Load the page again, look at the service once more, and answer for what the page says now.',
    },
    ADOPT_DIFFERS: {
      fix: 'Look for the right one at the service, or give another answer.',
    },
    ROW_NOT_FOUND: { fix: 'The page of the batch has all rows.' },
    WORD_NOT_FOUND: {
      why: 'Only batches of this account are searched. Rows that were removed after their time are not found by address or reference.',
      fix: 'Give the whole word, as the file has it.',
    },
    RESEND_EXISTS: {
      fix: 'Look at that batch. When it has ended, its failed rows can be paid again.',
    },
    RESEND_REJECTED: {
      why: 'None of its rows was ever to be paid.',
      fix: 'Correct what stopped it, and submit the file under another name.',
    },
    RESEND_NOTHING: {
      fix: 'See below what became of each row. Find out about the unclear ones at the service before you pay them again.',
    },
    RESEND_UNSTATED: { fix: 'Make sure of it, then confirm it on this page.' },
    RESEND_CHANGED: { fix: 'Load the page again, look at the rows, and pay them then.' },
    RESEND_OUTDATED: {
      fix: 'Nothing of it was sent. Look at the rows, then pay again what is left.',
    },
    REPORT_GONE: { fix: 'Your operator can write the report again.' },
    REPORT_MISSING: { fix: 'Your operator can write the report again.' },
    REPORT_DAMAGED: { fix: 'Keep the file. Your operator can write the report again.' },
    REPORT_FILE_CHANGED: {
      fix: 'Keep the file. Your operator can write the report again; the difference shows what was changed.',
    },
    REPORT_FILE_GONE: {
      fix: 'Your operator can find out who removed it, and write the report again.',
    },
    SCHEDULE_NOT_FOUND: { fix: 'The page "Schedules" has all of them.' },
    WORKER_SILENT: { fix: 'Your operator must start a worker.' },
    TEMPORAL_UNREACHABLE: { fix: 'Try again in a moment. Your operator can see why it is down.' },
  },
  /** In the place of a sentence for the command line that has no other. */
  askOperator: 'Your operator can help.',
};
