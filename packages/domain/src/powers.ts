// Administrator powers: three separated powers that control each other, and delegated parts of the company (decisions
// E1).

/**
 * `system`: users, departments, libraries, storage, servers, mail. `security`: secret levels, capabilities of roles,
 * and sign-in rules. `audit`: reads the audit log, including the actions of the other two, and changes no content, right
 * or account. It places and lifts legal holds, which only keep what exists. Only the first administrator can have two
 * of them.
 */
export const separatedPowers = ['system', 'security', 'audit'] as const
export type SeparatedPower = (typeof separatedPowers)[number]

/** `department`: manages users and departments of a part of the company, within the delegation. */
export const powers = [...separatedPowers, 'department'] as const
export type Power = (typeof powers)[number]

/** Tasks that can be delegated for a department and its subordinate departments. */
export const delegatedTasks = ['people', 'departments', 'quota'] as const
export type DelegatedTask = (typeof delegatedTasks)[number]
