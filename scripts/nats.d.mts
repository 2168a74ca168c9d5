export function findNats(): string | undefined
