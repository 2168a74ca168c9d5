/** Builds the web client where what it is made of has changed. Resolves to an exit code. */
export function prepareWeb(): Promise<number>
