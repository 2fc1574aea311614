/** An address has small letters only; on a sign a name begins with a capital: T12. Where a style can say so, `.table-name` does. */
export const onSign = (table: string): string => table.charAt(0).toUpperCase() + table.slice(1);
