/** Builtin locales came with PostgreSQL 17. Before, most production servers have the collation of a language. */
export const LOCALE_BEFORE_17 = '--locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US'
