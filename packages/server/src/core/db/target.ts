/** Where a PostgreSQL database is reached: parts (`host` may be a socket folder) or a `postgres:` address. */
export type DatabaseTarget =
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly password?: string
    }
  | { readonly url: string }
