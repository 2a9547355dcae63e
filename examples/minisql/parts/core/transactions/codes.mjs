  ['unique_violation', 'a value that a UNIQUE column already holds'],
  ['transaction_open', 'BEGIN inside of a transaction'],
  ['no_transaction', 'COMMIT or ROLLBACK outside of a transaction'],
