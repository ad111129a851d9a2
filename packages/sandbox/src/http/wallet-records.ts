import { blockchainOf, isToken } from '../core/blockchains.ts';
import { ZERO } from '../core/decimal.ts';
import { transactionHash, withdrawalId } from '../core/mass-payout.ts';
import { feeOf } from '../core/tariff.ts';
import { BLOCKCHAIN_FEE, topUpId } from '../core/transactions.ts';
import type { SandboxWallet } from '../core/wallets.ts';
import type { Balance, SandboxLedger } from '../store/ledger.ts';
import type { MassPayouts } from '../store/mass-payouts.ts';
import type { StoredTransaction } from '../store/transactions.ts';
import { exactNumber, type ExactJsonValue } from './exact-json.ts';

/** Returns the balances of a wallet: those of its account on its blockchain, or none. */
export const balancesIn = (ledger: SandboxLedger, wallet: SandboxWallet): readonly Balance[] =>
  wallet.holdsBalances
    ? ledger
        .balances(wallet.account)
        .filter(({ currency }) => blockchainOf(currency) === wallet.blockchain)
    : [];

/** Spec: "Settlement wallets", PGSettlementWalletResponseDTO. */
export const walletRecord = (ledger: SandboxLedger, wallet: SandboxWallet): ExactJsonValue => ({
  name: wallet.name,
  address: wallet.address,
  blockchain: wallet.blockchain,
  balances: balancesIn(ledger, wallet).map(({ currency, amount }) => ({
    currency,
    amount: exactNumber(amount),
    token: isToken(currency),
  })),
});

/** Spec: "Settlement wallets", PGSettlementTransactionResponseDTO. */
export function transactionRecord(
  massPayouts: MassPayouts,
  transaction: StoredTransaction,
): ExactJsonValue {
  const { currency, opCode, atMs } = transaction.movement;
  const { amount, serviceFee, networkFee, ...rest } = factsOf(massPayouts, transaction);
  return {
    amount: exactNumber(amount),
    currency,
    opCode,
    serviceFee: exactNumber(serviceFee),
    serviceFeeCurrency: currency,
    networkFee: exactNumber(networkFee),
    networkFeeCurrency: currency,
    createdDate: new Date(atMs).toISOString(),
    ...rest,
  };
}

function factsOf(massPayouts: MassPayouts, { movement, withdrawal }: StoredTransaction) {
  if (withdrawal === null || movement.massPayout === null) {
    return {
      amount: movement.amount,
      serviceFee: movement.fee,
      networkFee: ZERO,
      transactionHash: transactionHash(topUpId(movement.n)),
      addressTo: movement.walletAddress,
    };
  }
  const { id, tariff } = massPayouts.byNumber(movement.massPayout);
  return {
    amount: withdrawal.amount,
    serviceFee: feeOf(tariff, withdrawal.amount).total,
    networkFee: BLOCKCHAIN_FEE,
    transactionHash: transactionHash(withdrawalId(id, withdrawal.position)),
    addressTo: withdrawal.depositAddress,
  };
}
