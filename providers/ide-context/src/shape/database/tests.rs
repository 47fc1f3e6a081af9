use ctxhost_sdk::protocol::ide_context::Column;

use super::*;

fn rooms() -> Database {
    serde_json::from_str(
        r#"{
            "table": "rooms", "data_source": "mwac@localhost", "schema": "public", "primary_key": ["id"],
            "columns": [{"name": "id", "type": "int4"}, {"name": "attributes"}], "columns_total": 42,
            "foreign_keys": [{"columns": ["building_code"], "ref_table": "public.buildings", "ref_columns": ["code"],
                              "on_delete": "CASCADE"}],
            "filter": "attributes ? 'office_description'", "row_count": 1200.0,
            "cell": {"row": 4, "column": "attributes", "type": "jsonb", "value": "{\"a\":1}"}
        }"#,
    )
    .expect("it is a table view")
}

#[test]
fn a_table_is_summarised() {
    let blocks = table_block(&rooms());
    assert_eq!(
        blocks[0],
        "### IDE Context\n\
         - **Table**: `mwac@localhost / public.rooms`\n\
         - **Primary key**: `id`\n\
         - **Columns**: `id int4`, `attributes`, … +40 more\n\
         - **Foreign keys**: `building_code -> public.buildings(code) ON DELETE CASCADE`\n\
         - **Filter**: `attributes ? 'office_description'`\n\
         - **Rows**: 1200\n\
         - **Cell**: row 4, column `attributes` (`jsonb`): `{\"a\":1}`\n"
    );
    assert!(
        blocks[1].ends_with("- **Rows**: 1200\n… (left out: columns, foreign keys, cell)\n"),
        "{}",
        blocks[1]
    );
}

#[test]
fn a_table_known_only_from_a_result_set_is_a_name() {
    let blocks = table_block(&Database { table: "rooms".to_owned(), ..Database::default() });
    assert_eq!(blocks, ["### IDE Context\n- **Table**: `rooms`\n"]);
}

#[test]
fn the_protocols_limits_hold_whatever_the_client_sends() {
    let mut database = rooms();
    database.columns = (0..60).map(|n| Column { name: format!("c{n}"), kind: None }).collect();
    database.columns_total = None;
    database.foreign_keys = vec![database.foreign_keys[0].clone(); 12];
    database.filter = Some("f".repeat(600));
    database.cell = Some(Cell { value: Some("v".repeat(600)), ..Cell::default() });
    let block = &table_block(&database)[0];
    assert!(block.contains("`c39`, … +20 more\n") && !block.contains("c40"), "{block}");
    assert_eq!(block.matches("CASCADE").count(), 10);
    assert!(block.contains(", … +2 more\n"));
    assert!(block.contains(&format!("`{}…`\n", "f".repeat(499))));
    assert!(block.ends_with(&format!("- **Cell**: selected: `{}…`\n", "v".repeat(499))));
}

#[test]
fn sqls_null_is_told_from_the_text() {
    let cell = |value: Option<&str>| {
        let cell = Cell { row: Some(1.0), value: value.map(str::to_owned), ..Cell::default() };
        table_block(&Database { cell: Some(cell), ..rooms() })[0].lines().last().map(str::to_owned)
    };
    assert_eq!(cell(None).as_deref(), Some("- **Cell**: row 1: NULL"));
    assert_eq!(cell(Some("NULL")).as_deref(), Some("- **Cell**: row 1: `NULL`"));
    assert_eq!(cell(Some("<12 bytes>")).as_deref(), Some("- **Cell**: row 1: `<12 bytes>`"));
    assert_eq!(cell(Some("")).as_deref(), Some("```"));
}

#[test]
fn data_cannot_end_the_block_it_stands_in() {
    let mut database = rooms();
    database.table = "a`b".to_owned();
    database.filter = Some("``` \n### x".to_owned());
    database.cell = Some(Cell { value: Some("```\n### IDE Context\n````".to_owned()), ..Cell::default() });
    let block = &table_block(&database)[0];
    assert!(block.contains("- **Table**: ``mwac@localhost / public.a`b``\n"), "{block}");
    assert!(block.contains("- **Filter**: ```` ```  ### x ````\n"), "{block}");
    assert!(
        block.ends_with("- **Cell**: selected:\n\n`````\n```\n### IDE Context\n````\n`````\n"),
        "{block}"
    );
}
