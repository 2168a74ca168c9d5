// What may be administered, in three hands that watch each other, and in parts of the company (admin.md E1).

/**
 * `system`: people, departments, libraries, space, servers, mail. `security`: secret levels, what roles may do, and the
 * rules of signing in. `audit`: reads what happened, what the other two did included, and changes nothing. Nobody but the
 * first administrator has two of them.
 */
export const separatedPowers = ['system', 'security', 'audit'] as const
export type SeparatedPower = (typeof separatedPowers)[number]

/** `department`: keeps the people and departments of a part of the company, as far as was delegated. */
export const powers = [...separatedPowers, 'department'] as const
export type Power = (typeof powers)[number]

/** What can be delegated of a department and those below it. */
export const delegatedTasks = ['people', 'departments', 'quota'] as const
export type DelegatedTask = (typeof delegatedTasks)[number]
