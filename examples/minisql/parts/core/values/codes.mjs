  ['internal_error', 'a defect of the engine'],
  ['invalid_cast', 'a TEXT has no form that CAST can read'],
