"""The list of requirements and the tests stay in step."""

from tests.requirement_report import Naming, namings, namings_in, requirements


def test_markers_name_only_requirements_that_exist() -> None:
    known = requirements().texts
    assert [naming for naming in namings() if naming.id not in known] == []


def test_every_requirement_is_named_by_a_test_or_listed_as_not_yet() -> None:
    named = {naming.id for naming in namings()}
    assert [id for id in requirements().texts if id not in named and id not in requirements().not_yet] == []


def test_no_requirement_listed_as_not_yet_is_named_by_a_test() -> None:
    assert [naming for naming in namings() if naming.id in requirements().not_yet] == []


def test_the_list_of_what_is_not_yet_named_holds_known_ids_once() -> None:
    listed = requirements().not_yet
    assert len(set(listed)) == len(listed)
    assert set(listed) <= requirements().texts.keys()


def test_markers_are_found_on_tests_classes_modules_and_parameters() -> None:
    source = """
import pytest
pytestmark = [pytest.mark.req("A-1")]
@pytest.mark.req("A-2", "A-3")
class TestThings:
    @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.req("A-4"))])
    def test_it(self, n): ...
"""
    assert {naming.id for naming in namings_in(source, "sample")} == {"A-1", "A-2", "A-3", "A-4"}


def test_a_marker_whose_id_is_not_written_out_is_reported() -> None:
    assert list(namings_in("@pytest.mark.req(NAME)\ndef test_it(): ...", "sample")) == [Naming(None, "sample:1")]
