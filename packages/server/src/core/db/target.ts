/** The address of a PostgreSQL database: parts (`host` may be a socket folder) or a `postgres:` URL. */
export type DatabaseTarget =
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly password?: string
    }
  | { readonly url: string }
