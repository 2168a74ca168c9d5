export function findNats(): string | undefined
export function findPooler(): string | undefined
