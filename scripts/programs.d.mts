export function findNats(): string | undefined
export function findPooler(): string | undefined
export function findNginx(): string | undefined
export function findHaproxy(): string | undefined
export function findClamd(): string | undefined
export function findSlapd(): string | undefined
export function findRclone(): string | undefined
